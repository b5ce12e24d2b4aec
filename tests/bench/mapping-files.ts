import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';

/** The fields that are right for one column; null: no field is right too. */
export type Accepted = readonly (string | null)[];

export type MappingFile = {
  name: string;
  group: string;
  headerless: boolean;
  accepted: readonly Accepted[];
  /** Whether the answers name the columns of options. */
  hasOptions: boolean;
  /** As the product reads them. */
  headers: string[];
  /** The cells of the first rows. */
  sample: readonly string[][];
  /** Whether the reader found the header, or that there is none, and as many columns as there are answers. */
  isReadRight: boolean;
};

type Answers = Pick<MappingFile, 'name' | 'headerless' | 'accepted' | 'hasOptions'> & { csv: string };

export const ownMappingFiles = fileURLToPath(new URL('../fixtures/mapping/', import.meta.url));

/**
 * Reads a directory of CSV files with answers: `<name>.csv` with `<name>.json` and, if there are groups, `groups.json`;
 * or files with `expected/<name>.json`. Throws for a file without answers.
 */
export function readMappingFiles(folder: string): MappingFile[] {
  const groups = groupsIn(folder);
  const answers = existsSync(path.join(folder, 'expected')) ? expectedIn(folder) : answersIn(folder);
  return answers.map(({ csv, ...file }) => {
    const { isHeaderless, ...head } = readHead(csv);
    const isReadRight = isHeaderless === file.headerless && head.headers.length === file.accepted.length;
    return { ...file, ...head, group: groups.get(file.name) ?? 'other', isReadRight };
  });
}

/** The group of every file, by `groups.json`. */
function groupsIn(folder: string): Map<string, string> {
  const file = path.join(folder, 'groups.json');
  if (!existsSync(file)) return new Map();
  const groups = readJson<Record<string, string[]>>(file);
  return new Map(Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group])));
}

function answersIn(folder: string): Answers[] {
  return namesIn(folder, '.csv').map((name) => {
    const { headerless, columns } = readJson<{ headerless: boolean; columns: Accepted[] }>(
      path.join(folder, `${name}.json`),
    );
    return { name, headerless, accepted: columns, hasOptions: true, csv: path.join(folder, `${name}.csv`) };
  });
}

type Expected = { file: string; headerRow: number; columns: { index: number; expected: Accepted }[] };

function expectedIn(folder: string): Answers[] {
  const folderOfAnswers = path.join(folder, 'expected');
  return namesIn(folderOfAnswers, '.json').map((name) => {
    const { file, headerRow, columns } = readJson<Expected>(path.join(folderOfAnswers, `${name}.json`));
    const accepted = columns
      .toSorted((a, b) => a.index - b.index)
      .map(({ expected }) => expected.map((field) => (field === null ? null : fieldNamed(field))));
    const csv = path.join(folder, file);
    return { name, headerless: headerRow < 0, accepted, hasOptions: false, csv };
  });
}

/** compare_at_price → compareAtPrice; collection → collections. */
function fieldNamed(name: string): string {
  if (name === 'collection') return 'collections';
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function namesIn(folder: string, extension: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(extension))
    .map((file) => file.slice(0, -extension.length))
    .sort();
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** The headers and the sample of a file, by the product's own reader. */
function readHead(csv: string) {
  let headers: string[] = [];
  let sample: readonly string[][] = [];
  const reading = readFile({
    limits: readLimitsDefault,
    onHeader(foundHeaders, _record, foundSample) {
      headers = foundHeaders;
      sample = foundSample;
    },
    onRow: () => false,
  });
  reading.push(readFileSync(csv));
  reading.end();
  return { headers, sample, isHeaderless: (reading.dialect?.headerRecord ?? 0) < 0 };
}
