import path from 'node:path';
import { parseArgs } from 'node:util';
import { mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import { median } from './figures.ts';
import { type MappingFile, ownMappingFiles, readMappingFiles } from './mapping-files.ts';
import {
  type Confidence,
  type FieldSet,
  type FileScore,
  namelessHeaders,
  type Score,
  scoreFile,
  scoreOf,
  type WrongColumn,
} from './mapping-score.ts';

// How many columns of files with known answers are mapped right, with their headers and without.
const { values: given } = parseArgs({
  options: { dir: { type: 'string' }, failing: { type: 'boolean', default: false } },
});
const columnsTimed = 60;
const rowsTimed = 200;
const callsTimed = 100;

// npm runs scripts in the project's root, but directories are relative to the caller's.
const folder = given.dir && path.resolve(process.env.INIT_CWD ?? process.cwd(), given.dir);
const files = readMappingFiles(folder ?? ownMappingFiles);
const groups = [...new Set(files.map((file) => file.group))].sort();
const named = files.map((file) => scoreFile(file));
const nameless = files.map((file) => scoreFile(file, namelessHeaders(file.headers)));

printScores('Headers of the file', named);
printScores("Every header replaced by 'Column N'", nameless);
printWrongClaims();
printCalibration();
printTime();
const misread = files.filter((file) => !file.isReadRight).map((file) => file.name);
if (misread.length > 0) console.log(`\nHeader or columns read otherwise: ${misread.join(', ')}`);
// Rules must not be fitted to the unseen, fresh and blind files, so their columns are not listed.
const listed = named.filter((_, at) => !['unseen', 'fresh', 'blind'].includes(files[at]?.group ?? ''));
if (given.failing) printFailing(listed.flatMap((score) => score.wrongColumns));

function printScores(title: string, scores: readonly FileScore[]): void {
  console.log(`\n${title}`);
  console.log(
    'group   files  fields        precision  recall      F1  perfect  title+price  ready but wrong',
  );
  for (const group of groups) printGroup(group, scoreOf(ofGroup(scores, group)));
  if (groups.length > 1) printGroup('all', scoreOf(scores));
}

function printGroup(group: string, score: Score): void {
  const cells = (set: FieldSet) => [
    percent(score.precision[set]).padStart(11),
    percent(score.recall[set]).padStart(8),
    percent(score.f1[set]).padStart(8),
    `${score.perfect[set]}/${score.files}`.padStart(9),
  ];
  const both = `${score.bothRight}/${score.offerBoth}`.padStart(13);
  const wrong = `${score.wronglyReady}/${score.files}`.padStart(17);
  console.log(
    [group.padEnd(8), String(score.files).padStart(5), '  core        ', ...cells('core'), both, wrong].join(
      '',
    ),
  );
  console.log([' '.repeat(13), '  with further', ...cells('further')].join(''));
}

function ofGroup(scores: readonly FileScore[], group: string): FileScore[] {
  return scores.filter((_, at) => files[at]?.group === group);
}

/** Columns that have a field and should have another one or none. */
function printWrongClaims(): void {
  console.log('\nWrong claims by field, with the headers of the file');
  for (const group of groups) {
    const claimed = ofGroup(named, group).flatMap(({ wrongColumns }) =>
      wrongColumns.flatMap(({ got }) => (got === null ? [] : [got])),
    );
    const counts = [...Map.groupBy(claimed, (field) => field)].map(([field, { length }]) => ({
      field,
      length,
    }));
    const cells = counts.sort((a, b) => b.length - a.length).map(({ field, length }) => `${field} ${length}`);
    console.log(`${group.padEnd(8)} ${cells.join(', ') || 'none'}`);
  }
}

/** Of the columns mapped with a confidence, the share that is right. */
function printCalibration(): void {
  console.log('\nConfidence of title and price: columns, share right');
  console.log('            title           price           title, Column N price, Column N');
  for (let tenth = 10; tenth >= 0; tenth -= 1) {
    const cells = [named, nameless].flatMap((scores) =>
      (['title', 'price'] as const).map((field) => calibrationCell(scores, field, tenth)),
    );
    if (cells.some((cell) => cell !== '')) {
      console.log(
        `${(tenth / 10).toFixed(1).padStart(6)}      ${cells.map((cell) => cell.padEnd(16)).join('')}`,
      );
    }
  }
}

function calibrationCell(scores: readonly FileScore[], field: Confidence['field'], tenth: number): string {
  const inStep = scores
    .flatMap((score) => score.confidences)
    .filter((found) => found.field === field && Math.floor(found.confidence * 10 + 1e-9) === tenth);
  if (inStep.length === 0) return '';
  return `${String(inStep.length).padStart(3)} ${percent(inStep.filter((found) => found.isRight).length / inStep.length)}`;
}

function printTime(): void {
  const { headers, rows } = wideTable(files);
  const times: { withRows: number[]; namesOnly: number[] } = { withRows: [], namesOnly: [] };
  for (let call = 0; call < 2 * callsTimed; call += 1) {
    times.withRows.push(msOf(() => mapHeaders(headers, rows)));
    times.namesOnly.push(msOf(() => mapHeaders(headers)));
  }
  // The first half of the calls is a warm-up and not counted.
  const medianMs = (all: readonly number[]) => median(all.slice(callsTimed)).toFixed(2);
  console.log(
    `\nmapHeaders, ${headers.length} columns: ${medianMs(times.withRows)} ms with ${rows.length} rows, ` +
      `${medianMs(times.namesOnly)} ms with names only (medians of ${callsTimed} warm calls)`,
  );
}

/** The columns of several files side by side, with their rows repeated. */
function wideTable(from: readonly MappingFile[]): { headers: string[]; rows: string[][] } {
  const columns = from
    .flatMap((file) => file.headers.map((header, index) => ({ file, header, index })))
    .slice(0, columnsTimed);
  const rows = Array.from({ length: rowsTimed }, (_, row) =>
    columns.map(({ file, index }) => file.sample[row % file.sample.length]?.[index] ?? ''),
  );
  return { headers: columns.map(({ header }) => header), rows };
}

function msOf(call: () => void): number {
  const begun = performance.now();
  call();
  return performance.now() - begun;
}

function printFailing(wrong: readonly WrongColumn[]): void {
  console.log('\nWrong columns');
  for (const { file, header, accepted, got } of wrong) {
    console.log(
      `${file.padEnd(34)} ${JSON.stringify(header)}: expected ${answerText(accepted)}, got ${got ?? '-'}`,
    );
  }
  console.log('\nMost frequent');
  const kinds = Map.groupBy(
    wrong,
    ({ accepted, got }) => `expected ${answerText(accepted)}, got ${got ?? '-'}`,
  );
  for (const [kind, columns] of [...kinds].sort((a, b) => b[1].length - a[1].length).slice(0, 20)) {
    const headers = [...new Set(columns.map(({ header }) => JSON.stringify(header)))].slice(0, 6).join(' ');
    console.log(`${String(columns.length).padStart(4)}  ${kind}: ${headers}`);
  }
}

function answerText(accepted: WrongColumn['accepted']): string {
  return accepted.map((field) => field ?? '-').join('|');
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
