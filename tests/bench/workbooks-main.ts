import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { toBlobSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { openContainer } from '@draftshelf/workbooks/open-container';
import {
  bookOfSheetJs,
  type ExpectedSheet,
  expectedSheets,
  misread,
  type ReadBook,
} from './workbook-reference.ts';
import { type ReadTable, readTables, scoreTable, trueSheet } from './workbook-score.ts';

// How many cells of workbooks are read right: compared with SheetJS; with --reader DIR also with the reader of that
// name, whose cells stand in <file>.json there as a ReadBook; with --truth with the files that a person checked
// (trueSheet), in another folder or beside the workbooks. Workbooks without such a file are compared with the readers.
// With --pictures N: what an archive of so many pictures takes. With --polls ROWS: how polls are answered while a sheet
// of so many rows is converted.
const usage =
  'npm run bench:workbooks -- --dir DIR [--truth [DIR]] [--reader DIR], or --pictures N [--bytes BYTES], or --polls ROWS';
const { values: given } = parseArgs({
  options: {
    ...({ dir: { type: 'string' }, truth: { type: 'string' }, reader: { type: 'string' } } as const),
    ...({ pictures: { type: 'string' }, bytes: { type: 'string', default: '24000' } } as const),
    polls: { type: 'string' },
  },
  // `--truth` may stand alone.
  strict: false,
});
const wrongShownMax = 60;
const limits = {
  fileBytesMax: 512 * 2 ** 20,
  archiveBytesMax: 512 * 2 ** 20,
  columnsMax: 16_384,
  cellBytesMax: 2 ** 20,
};

if (given.pictures !== undefined) {
  const { measurePictures } = await import('./workbook-pictures.ts');
  await measurePictures(Number(given.pictures), Number(given.bytes));
  process.exit();
}

if (given.polls !== undefined) {
  const { measurePolls } = await import('./workbook-polls.ts');
  await measurePolls(Number(given.polls));
  process.exit();
}

const folderOf = (name: string) => path.resolve(process.env.INIT_CWD ?? process.cwd(), name);
if (typeof given.dir !== 'string') throw new Error(usage);
const dir = folderOf(given.dir);
const truth = typeof given.truth === 'string' ? folderOf(given.truth) : given.truth === true ? dir : null;
const otherReader = typeof given.reader === 'string' ? folderOf(given.reader) : null;

type Score = Map<string, { cells: number; wrong: number }>;
const scores = new Map<string, Score>();
const wrong: string[] = [];
const judged = new Map<string, number>();
const refused = new Map<string, string[]>();
const crashed: string[] = [];
const unknown = new Map<string, string[]>();
let [read, seconds] = [0, 0];

const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:xlsx|xlsm|ods)$/i.test(name))
  .sort();
for (const name of files) await scoreFile(name);
printScore();
if (wrong.length > 0 || crashed.length > 0) process.exitCode = 1;

async function scoreFile(name: string): Promise<void> {
  const bytes = readFileSync(path.join(dir, name));
  const begun = process.cpuUsage();
  let tables: ReadTable[];
  try {
    tables = await readTables(await openContainer(toBlobSource(new Blob([bytes])), limits));
    read += 1;
  } catch (error) {
    if (!(error instanceof ContainerError)) crashed.push(`${name}: ${error}`);
    else refused.set(error.message, [...(refused.get(error.message) ?? []), name]);
    return;
  } finally {
    const { user, system } = process.cpuUsage(begun);
    seconds += (user + system) / 1e6;
  }
  if (scoreByTruth(name, tables)) return;
  scoreByReader('SheetJS', name, tables, bookOfSheetJs(bytes));
  if (otherReader)
    scoreByReader(path.basename(otherReader), name, tables, bookOf(path.join(otherReader, `${name}.json`)));
}

function bookOf(file: string): ReadBook | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ReadBook) : null;
}

function scoreByTruth(name: string, tables: readonly ReadTable[]): boolean {
  let isKnown = false;
  for (const { n, rows } of truth ? tables : []) {
    const sheet = trueSheet(path.join(truth ?? '', name), n);
    if (sheet) compare('the truth', `${name} ${n}`, rows, sheet);
    isKnown ||= sheet !== null;
  }
  return isKnown;
}

function scoreByReader(
  reader: string,
  name: string,
  tables: readonly ReadTable[],
  book: ReadBook | null,
): void {
  if (book === null) {
    unknown.set(reader, [...(unknown.get(reader) ?? []), name]);
    return;
  }
  const sheets = expectedSheets(book);
  for (const { name: table, rows } of tables) {
    const sheet = sheets.find((sheet) => sheet.name === table);
    if (sheet) compare(reader, `${name} ${table}`, rows, sheet);
  }
}

function compare(reader: string, place: string, rows: readonly string[][], sheet: ExpectedSheet): void {
  const classes: Score = scores.get(reader) ?? new Map();
  scores.set(reader, classes);
  for (const { class: of, isRight, sentence } of scoreTable(place, rows, sheet)) {
    const why = isRight ? undefined : misread(reader, sentence);
    if (why !== undefined) judged.set(why, (judged.get(why) ?? 0) + 1);
    const score = classes.get(of) ?? { cells: 0, wrong: 0 };
    classes.set(of, score);
    // A further cell that the reader has misread is none.
    if (of !== 'further' || why === undefined) score.cells += 1;
    if (isRight || why !== undefined) continue;
    score.wrong += 1;
    wrong.push(`${reader}: ${sentence}`);
  }
}

function printScore(): void {
  for (const sentence of wrong.slice(0, wrongShownMax)) console.log(sentence);
  console.log(
    `\n${files.length} files: ${read} read, ${[...refused.values()].flat().length} refused, ${crashed.length} crashed`,
  );
  for (const [message, names] of refused) console.log(`refused: ${message} (${names.join(', ')})`);
  for (const sentence of crashed) console.log(`crashed: ${sentence}`);
  for (const [reader, names] of unknown) {
    console.log(`not compared, ${reader} cannot read them: ${names.join(', ')}`);
  }
  for (const [reader, classes] of scores) {
    console.log(`\ncompared with ${reader}\nclass         cells    wrong`);
    for (const [of, score] of [...classes].sort()) {
      console.log(`${of.padEnd(10)} ${String(score.cells).padStart(8)} ${String(score.wrong).padStart(8)}`);
    }
  }
  for (const [why, cells] of judged) console.log(`${cells} cells are right although ${why}`);
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(`\n${seconds.toFixed(1)} processor s for reading, peak ${peak.toFixed(0)} MB with the readers`);
}
