import { coreFields } from '@draftshelf/domain/base/canonical-fields';
import { type HeaderMapping, mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { Accepted, MappingFile } from './mapping-files.ts';

const core: ReadonlySet<string> = new Set(coreFields);
const furtherNames =
  'compareAtPrice cost image tags status collections origin tcin trackQuantity continueSelling'.split(' ');
const further: ReadonlySet<string> = new Set([...core, ...furtherNames]);
const options = [1, 2, 3].flatMap((position) => [`option${position}Name`, `option${position}Value`]);
const furtherWithOptions: ReadonlySet<string> = new Set([...further, ...options]);

/** Which fields count: the specification's eight, or further ones as well. All other fields count as no field. */
export type FieldSet = 'core' | 'further';

/** A column that is mapped wrong. */
export type WrongColumn = { file: string; header: string; accepted: Accepted; got: string | null };

/** Columns that are right, that have a wrong field, and that lack theirs. A wrong field may count twice. */
type Columns = { right: number; wrong: number; missing: number };

export type Confidence = { field: 'title' | 'price'; confidence: number; isRight: boolean };

export type FileScore = {
  columns: Record<FieldSet, Columns>;
  /** No column is wrong or missing, and title and price are right if the file offers them. */
  isPerfect: Record<FieldSet, boolean>;
  offersBoth: boolean;
  /** Title and price are right, in a file that offers both. */
  areBothRight: boolean;
  /** Title and price are mapped, but one of them is wrong: the products look ready and are not. */
  isWronglyReady: boolean;
  confidences: Confidence[];
  wrongColumns: WrongColumn[];
};

/** The headers of a file that has none. */
export const namelessHeaders = (headers: readonly string[]): string[] =>
  headers.map((_, index) => `Column ${index + 1}`);

/** Compares the mapping of a file with its answers. `headers`: those to map, the file's own or others. */
export function scoreFile(file: MappingFile, headers: readonly string[] = file.headers): FileScore {
  const mapping = mapHeaders(headers, file.sample);
  const byCore = scoreColumns(file, mapping, core);
  const byFurther = scoreColumns(file, mapping, file.hasOptions ? furtherWithOptions : further);
  const offersBoth = offers(file, 'title') && offers(file, 'price');
  const areBothRight = offersBoth && isRight(file, mapping, 'title') && isRight(file, mapping, 'price');
  const isReady = mapping.sources.title !== undefined && mapping.sources.price !== undefined;
  const isPerfect = ({ wrong, missing }: Columns) => wrong + missing === 0 && areBothRight === offersBoth;
  return {
    columns: { core: byCore.columns, further: byFurther.columns },
    isPerfect: { core: isPerfect(byCore.columns), further: isPerfect(byFurther.columns) },
    offersBoth,
    areBothRight,
    isWronglyReady: isReady && !areBothRight,
    confidences: confidencesOf(file, mapping),
    wrongColumns: byFurther.wrongColumns,
  };
}

function scoreColumns(file: MappingFile, mapping: HeaderMapping, fields: ReadonlySet<string>) {
  const counted = (field: string | null) => {
    const scored = scoredField(field);
    return scored !== null && fields.has(scored) ? scored : null;
  };
  const columns: Columns = { right: 0, wrong: 0, missing: 0 };
  const wrongColumns: WrongColumn[] = [];
  for (let index = 0; index < Math.max(file.accepted.length, mapping.columns.length); index += 1) {
    const accepted = [...new Set((file.accepted[index] ?? [null]).map(counted))];
    const got = counted(mapping.columns[index]?.field ?? null);
    if (accepted.includes(got)) {
      if (got !== null) columns.right += 1;
      continue;
    }
    if (got !== null) columns.wrong += 1;
    if (!accepted.includes(null)) columns.missing += 1;
    const header = file.headers[index] ?? `Column ${index + 1}`;
    wrongColumns.push({ file: file.name, header, accepted, got });
  }
  return { columns, wrongColumns };
}

/** Further images count as images, and an item number as the SKU, because the product uses it as one. */
function scoredField(field: string | null): string | null {
  if (field === 'moreImages') return 'image';
  return field === 'itemNumber' ? 'sku' : field;
}

type Required = 'title' | 'price';

function offers(file: MappingFile, field: Required): boolean {
  return file.accepted.some((accepted) => accepted.includes(field));
}

/** Whether all columns of a field may be it, and the column that must be it is one of them. */
function isRight(file: MappingFile, mapping: HeaderMapping, field: Required): boolean {
  const sources = mapping.sources[field] ?? [];
  const must = file.accepted.findIndex((accepted) => accepted.length === 1 && accepted[0] === field);
  return (
    sources.length > 0 &&
    sources.every((index) => file.accepted[index]?.includes(field)) &&
    (must < 0 || sources.includes(must))
  );
}

function confidencesOf(file: MappingFile, mapping: HeaderMapping): Confidence[] {
  return mapping.columns.flatMap(({ index, field, confidence }) =>
    field === 'title' || field === 'price'
      ? [{ field, confidence, isRight: file.accepted[index]?.includes(field) === true }]
      : [],
  );
}

export type Score = {
  files: number;
  precision: Record<FieldSet, number>;
  recall: Record<FieldSet, number>;
  f1: Record<FieldSet, number>;
  perfect: Record<FieldSet, number>;
  offerBoth: number;
  bothRight: number;
  wronglyReady: number;
};

/** The score of several files. */
export function scoreOf(scores: readonly FileScore[]): Score {
  const count = (holds: (score: FileScore) => boolean) => scores.filter(holds).length;
  const bySet = <T>(partOf: (set: FieldSet) => T) => ({
    core: partOf('core'),
    further: partOf('further'),
  });
  const sum = (set: FieldSet, part: keyof Columns) =>
    scores.reduce((total, { columns }) => total + columns[set][part], 0);
  const precision = bySet((set) => share(sum(set, 'right'), sum(set, 'wrong')));
  const recall = bySet((set) => share(sum(set, 'right'), sum(set, 'missing')));
  return {
    files: scores.length,
    precision,
    recall,
    f1: bySet((set) => (2 * precision[set] * recall[set]) / (precision[set] + recall[set] || 1)),
    perfect: bySet((set) => count((score) => score.isPerfect[set])),
    offerBoth: count((score) => score.offersBoth),
    bothRight: count((score) => score.areBothRight),
    wronglyReady: count((score) => score.isWronglyReady),
  };
}

const share = (part: number, rest: number): number => part / (part + rest || 1);
