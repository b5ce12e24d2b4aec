import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows, queryValue } from '../../connection/query-rows.ts';
import type { CommandTargetsTable, ImportRecord } from '../../connection/schema.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { matchesFilter, type RowFilter } from '../search/row-filter.ts';
import { type ShownRun, toShownRun } from '../search/row-sql.ts';
import type { CommandKey } from './edit-commands.ts';

/** Rows per block of consecutive row numbers. A block is stored as a bitmap of type bit(1024). */
const rowsPerBlock = 1024;

const blockOf = (row: number): number => Math.floor(row / rowsPerBlock);

function rowsInBitmap({ block, rows }: Pick<CommandTargetsTable, 'block' | 'rows'>): number[] {
  const found: number[] = [];
  for (let at = rows.indexOf('1'); at !== -1; at = rows.indexOf('1', at + 1))
    found.push(block * rowsPerBlock + at);
  return found;
}

const blocksOf = (table: RawBuilder<unknown>) => sql`(
  select row / ${sql.lit(rowsPerBlock)} as block,
    bit_or(set_bit(0::bit(${sql.lit(rowsPerBlock)}), row % ${sql.lit(rowsPerBlock)}, 1)) as rows
  from ${table} group by 1) as given`;

export type TargetOfRun = RunOfRows & { command: string };

const ofCommand = ({ import_id, run, command }: TargetOfRun) =>
  sql<boolean>`import_id = ${import_id} and run = ${run} and command = ${command}`;

/** SQL condition: target rows that the command has not changed yet (step 0). The steps of a command begin with 1. */
const ofTarget = (target: TargetOfRun) => sql<boolean>`${ofCommand(target)} and step = 0`;

/** A filter, or the numbers of rows. */
type Which = RowFilter | readonly number[];

/** SQL: the rows of a run that match, without ignored rows. */
const rowsIn = (of: ShownRun, which: Which) => {
  const isMeant = Array.isArray(which)
    ? sql`import_id = ${of.import_id} and run = ${of.run} and row = any(${which}::int[])`
    : matchesFilter(of, which as RowFilter);
  return sql`rows where ${isMeant} and ignored is null`;
};

/** Returns the sorted numbers of the current rows that match a filter, or that are given. Skips ignored rows. */
export async function readMatchingRows(db: Db, record: ImportRecord, which: Which): Promise<Int32Array> {
  const rows = await queryRows<{ numbers: Buffer | null }>(db)`
    select string_agg(int4send(row), ''::bytea) as numbers from ${rowsIn(toShownRun(record), which)}`;
  const bytes = rows[0]?.numbers ?? Buffer.alloc(0);
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32BE(4 * at)).sort();
}

/** Adds rows, by filter or by number, to a command's target or to its step `step` (from 1). Skips unknown numbers. */
export async function insertTarget(
  db: Db,
  { command, ...of }: TargetOfRun & ShownRun,
  rows: Which,
  step = 0,
): Promise<void> {
  await sql`
    insert into command_targets (import_id, run, command, step, block, rows)
    select ${of.import_id}, ${of.run}, ${command}, ${step}::int, given.block, given.rows
    from ${blocksOf(rowsIn(of, rows))}
    on conflict (import_id, run, command, step, block)
      do update set rows = command_targets.rows | excluded.rows`.execute(db);
}

export const countTargetRows = (db: Db, target: TargetOfRun) =>
  queryValue<number>(db)`
    select coalesce(sum(bit_count(rows)), 0)::int as count from command_targets
    where ${ofTarget(target)}`;

const blocksPerRead = 32;

/** Returns the next rows in order, at most `limit`. */
export async function readNextTargetRows(db: Db, target: TargetOfRun, limit: number): Promise<number[]> {
  const blocks = await storedBlocks(db, ofTarget(target)).limit(blocksPerRead).execute();
  return blocks.flatMap(rowsInBitmap).slice(0, limit);
}

export async function readTargetRows(db: Db, target: TargetOfRun): Promise<number[]> {
  return (await storedBlocks(db, ofTarget(target)).execute()).flatMap(rowsInBitmap);
}

const storedBlocks = (db: Db, which: RawBuilder<boolean>) =>
  db.selectFrom('command_targets').select(['step', 'block', 'rows']).where(which).orderBy('block');

/** Returns those of the given rows that the command has not changed yet. */
export async function filterTargetRows(db: Db, target: TargetOfRun, numbers: readonly number[]) {
  return (await readBits(db, ofTarget(target), numbers))(0);
}

/** Returns a function that returns which of the given rows belong to a step. */
async function readBits(db: Db, which: RawBuilder<boolean>, numbers: readonly number[]) {
  const blocks = [...new Set(numbers.map(blockOf))];
  const isGiven = sql<boolean>`block = any(${blocks}::int[])`;
  const found = await storedBlocks(db, which).where(isGiven).execute();
  const bits = new Map(found.map(({ step, block, rows }) => [`${step} ${block}`, rows]));
  return (step: number): ReadonlySet<number> =>
    new Set(numbers.filter((row) => bits.get(`${step} ${blockOf(row)}`)?.[row % rowsPerBlock] === '1'));
}

export async function removeTargetRows(
  db: Db,
  target: TargetOfRun,
  numbers: readonly number[],
): Promise<void> {
  await sql`
    update command_targets set rows = command_targets.rows & ~given.rows
    from ${blocksOf(sql`unnest(${numbers}::int[]) as numbers (row)`)}
    where ${ofTarget(target)} and command_targets.block = given.block`.execute(db);
  await sql`
    delete from command_targets
    where ${ofTarget(target)} and block = any(${numbers.map(blockOf)}::int[])
      and bit_count(rows) = 0`.execute(db);
}

/** Makes the rows of all steps the target of their command. Returns the number of these rows. */
export async function insertTargetOfSteps(db: Db, target: TargetOfRun): Promise<number> {
  await sql`
    insert into command_targets (import_id, run, command, block, rows)
    select import_id, run, command, block, bit_or(rows) from command_targets
    where ${ofCommand(target)} and step > 0 group by import_id, run, command, block`.execute(db);
  return countTargetRows(db, target);
}

export async function readStepRows(db: Db, target: TargetOfRun, steps: number, numbers: readonly number[]) {
  const rowsOf = await readBits(db, sql`${ofCommand(target)} and step > 0`, numbers);
  return Array.from({ length: steps }, (_, step) => rowsOf(step + 1));
}

export async function removeCommandTargets(db: Db, { import_id, id }: CommandKey): Promise<void> {
  await sql`delete from command_targets where import_id = ${import_id} and command = ${id}`.execute(db);
}
