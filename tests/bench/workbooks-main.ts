import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { blobSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { type Container, openContainer } from '@draftshelf/workbooks/open-container';
import {
  type ExpectedCell,
  type ExpectedSheet,
  expectedSheets,
  misreadBySheetJs,
} from './workbook-reference.ts';

// How many cells of workbooks are read right: compared with SheetJS, or with a truth of TSV files that a person checked
// (<file>.<number of the sheet>.tsv with the lines `row column class text`, counted from 1).
const { values: given } = parseArgs({ options: { dir: { type: 'string' }, truth: { type: 'string' } } });
const wrongShownMax = 60;
const limits = {
  fileBytesMax: 512 * 2 ** 20,
  archiveBytesMax: 512 * 2 ** 20,
  columnsMax: 16_384,
  cellBytesMax: 2 ** 20,
};

const folderOf = (name: string) => path.resolve(process.env.INIT_CWD ?? process.cwd(), name);
if (!given.dir) throw new Error('npm run bench:workbooks -- --dir DIR [--truth DIR]');
const dir = folderOf(given.dir);
const truth = given.truth && folderOf(given.truth);

const classes = new Map<string, { cells: number; wrong: number }>();
const wrong: string[] = [];
const refused = new Map<string, string[]>();
const crashed: string[] = [];
const unknown: string[] = [];
let [read, seconds, judged] = [0, 0, 0];

const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:xlsx|xlsm|ods)$/i.test(name))
  .sort();
for (const name of files) await scoreFile(name);
printScore();
if (wrong.length > 0 || crashed.length > 0) process.exitCode = 1;

async function scoreFile(name: string): Promise<void> {
  const bytes = readFileSync(path.join(dir, name));
  const begun = process.cpuUsage();
  let texts: ReadTable[];
  try {
    const container = await openContainer(blobSource(new Blob([bytes])), limits);
    texts = await readTables(container);
    read += 1;
  } catch (error) {
    if (!(error instanceof ContainerError)) crashed.push(`${name}: ${error}`);
    else refused.set(error.message, [...(refused.get(error.message) ?? []), name]);
    return;
  } finally {
    const { user, system } = process.cpuUsage(begun);
    seconds += (user + system) / 1e6;
  }
  const expected = truth ? null : expectedSheets(bytes);
  if (!truth && expected === null) unknown.push(name);
  for (const { n, name: table, rows } of texts) {
    const sheet = truth ? trueSheet(name, n) : expected?.find((sheet) => sheet.name === table);
    if (sheet) compare(`${name} ${sheet.name}`, rows, sheet);
  }
}

type ReadTable = { n: number; name: string; rows: string[][] };

async function readTables(container: Container): Promise<ReadTable[]> {
  const texts: ReadTable[] = [];
  for (const { n, name } of container.tables) {
    const pieces = await Array.fromAsync(container.read(n).pieces());
    texts.push({ n, name, rows: rowsOf(Buffer.concat(pieces).toString()) });
  }
  return texts;
}

/** Cells of CSV with commas, double quotes and LF. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  return rows;
}

function trueSheet(name: string, n: number): ExpectedSheet | null {
  const file = path.join(truth as string, `${name}.${n}.tsv`);
  if (!existsSync(file)) return null;
  const cells = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): ExpectedCell => {
      const [row, column, of, ...text] = line.split('\t');
      const shown = text.join('\t').replaceAll('\\n', '\n');
      const isRight = (found: string) => found === shown;
      return {
        row: Number(row) - 1,
        column: Number(column) - 1,
        class: of as ExpectedCell['class'],
        shown,
        isRight,
      };
    });
  return { name: String(n), width: Math.max(0, ...cells.map(({ column }) => column + 1)), cells };
}

function compare(place: string, rows: readonly string[][], { width, cells }: ExpectedSheet): void {
  const missing = new Map(
    rows.flatMap((row, r) =>
      row.slice(0, width).flatMap((text, c) => (text === '' ? [] : [[`${r} ${c}`, text] as const])),
    ),
  );
  for (const { row, column, class: of, isRight, shown } of cells) {
    const found = rows[row]?.[column] ?? '';
    missing.delete(`${row} ${column}`);
    count(of, isRight(found), `${place} R${row + 1}C${column + 1} ${of}: ‘${found}’ instead of ‘${shown}’`);
  }
  for (const [cell, text] of missing) count('further', false, `${place} ${cell}: ‘${text}’ is not expected`);
}

function count(of: string, isRight: boolean, sentence: string): void {
  const score = classes.get(of) ?? { cells: 0, wrong: 0 };
  classes.set(of, score);
  score.cells += 1;
  if (isRight) return;
  if (!truth && misreadBySheetJs.some(([place]) => place.test(sentence))) {
    judged += 1;
    return;
  }
  score.wrong += 1;
  wrong.push(sentence);
}

function printScore(): void {
  for (const sentence of wrong.slice(0, wrongShownMax)) console.log(sentence);
  console.log(
    `\n${files.length} files: ${read} read, ${[...refused.values()].flat().length} refused, ${crashed.length} crashed`,
  );
  for (const [message, names] of refused) console.log(`refused: ${message} (${names.join(', ')})`);
  for (const sentence of crashed) console.log(`crashed: ${sentence}`);
  if (unknown.length > 0) console.log(`not compared, SheetJS cannot read them: ${unknown.join(', ')}`);
  console.log('\nclass         cells    wrong');
  for (const [of, score] of [...classes].sort()) {
    console.log(`${of.padEnd(10)} ${String(score.cells).padStart(8)} ${String(score.wrong).padStart(8)}`);
  }
  if (judged > 0) console.log(`\n${judged} cells that SheetJS reads wrong, as a person found`);
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(`\n${seconds.toFixed(1)} processor s for reading, peak ${peak.toFixed(0)} MB with SheetJS`);
}
