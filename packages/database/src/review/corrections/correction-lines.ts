import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { LineKind } from '@draftshelf/domain/review/corrections/line-kinds';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { CorrectionCellsTable, CorrectionsCounts, CorrectionsRecord } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import type { TargetOfRun } from '../commands/command-targets.ts';
import { sqlBitmapOf, sqlBlockOf } from '../row-bitmaps.ts';

type Corrections = Pick<CorrectionsRecord, 'id' | 'import_id'>;

/** A row of a file, by its place, with a hash of its cells. `isAmbiguous`: the file has it with others, too. */
export type CorrectedRow = { byteFrom: number; hash: string; isAmbiguous: boolean };

/** Records the rows of a part. Returns the places of those that the file has had before with the same cells. */
export async function storeCorrectedRows(
  db: Db,
  { id, import_id }: Corrections,
  given: readonly CorrectedRow[],
): Promise<ReadonlySet<number>> {
  const rows = given.map(({ isAmbiguous, ...row }) => ({ ...row, isAmbiguous: Number(isAmbiguous) }));
  const { rows: repeated } = await sql<{ byte_from: number }>`
    with given as (
      select byte_from, hash, is_ambiguous = 1 as is_ambiguous
      from ${unnestRows('given', rows, { byteFrom: 'bigint', hash: 'text', isAmbiguous: 'int' })}
    ), added as (
      insert into correction_rows (import_id, corrections, byte_from, hash, is_ambiguous)
      select ${import_id}, ${id}, byte_from, hash, is_ambiguous from given
      on conflict (corrections, byte_from) do update
        set is_ambiguous = correction_rows.is_ambiguous or excluded.is_ambiguous or correction_rows.hash <> excluded.hash
      returning byte_from, is_ambiguous, xmax <> 0 as is_repeated
    )
    select byte_from from added where is_repeated and not is_ambiguous`.execute(db);
  return new Set(repeated.map(({ byte_from }) => byte_from));
}

export type CorrectionLine = Pick<
  CorrectionCellsTable,
  'line' | 'row' | 'field' | 'kind' | 'before' | 'now' | 'after'
> & { byteFrom: number | null };

/** Stores what a part has found. */
export async function storeLines(
  db: Db,
  { id, import_id }: Corrections,
  lines: readonly CorrectionLine[],
): Promise<void> {
  const types = {
    ...({ line: 'int', row: 'int', byteFrom: 'bigint', field: 'text' } as const),
    ...({ kind: 'text', before: 'text', now: 'text', after: 'text' } as const),
  };
  await sql`
    insert into correction_cells (import_id, corrections, line, row, byte_from, field, kind, before, now, after)
    select ${import_id}, ${id}, found.* from ${unnestRows('found', lines, types)}`.execute(db);
}

/**
 * Ends a comparison: cells of rows that the file has with different values are not taken, and a value that a product
 * has once is not reported for its other rows if its first row gets it. Returns the counts.
 */
export async function settleLines(
  db: Db,
  { id }: Corrections,
): Promise<Pick<CorrectionsCounts, 'lines' | 'rows'> & { fields: ChangedField[] }> {
  await sql`
    update correction_cells set kind = 'ambiguous'
    where corrections = ${id} and kind in ('change', 'conflict') and byte_from in (
      select byte_from from correction_rows where corrections = ${id} and is_ambiguous)`.execute(db);
  await sql`
    delete from correction_cells other using correction_cells first
    where other.corrections = ${id} and other.kind = 'of-product' and first.corrections = ${id}
      and first.kind = 'change' and first.byte_from = other.byte_from and first.field = other.field
      and first.after = other.after`.execute(db);
  const { rows: kinds } = await sql<{ kind: LineKind; count: number; rows: number }>`
    select kind, count(*)::int as count, count(distinct row)::int as rows from correction_cells
    where corrections = ${id} group by kind`.execute(db);
  const { rows: fields } = await sql<ChangedField>`
    select field, count(*)::int as changed, (count(*) filter (where after = ''))::int as emptied
    from correction_cells where corrections = ${id} and kind = 'change' group by field`.execute(db);
  return {
    lines: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
    rows: kinds.find(({ kind }) => kind === 'change')?.rows ?? 0,
    fields,
  };
}

type ChangedField = { field: CanonicalField; changed: number; emptied: number };

/** Adds the rows that a file changes to the target of a command. */
export async function insertCorrectedTarget(db: Db, target: TargetOfRun, { id }: Corrections): Promise<void> {
  await sql`
    insert into command_targets (import_id, run, command, block, rows)
    select ${target.import_id}, ${target.run}, ${target.command}, ${sqlBlockOf(sql`row`)}, ${sqlBitmapOf(sql`row`)}
    from (select distinct row from correction_cells where corrections = ${id} and kind = 'change') changed
    group by ${sqlBlockOf(sql`row`)}`.execute(db);
}

/** The changes that a file has for some rows. `now`: the value that its cell had when they were compared. */
export async function readCorrectedCells(
  db: Db,
  { id }: Corrections,
  numbers: readonly number[],
): Promise<{ row: number; field: CanonicalField; now: string | null; after: string }[]> {
  const { rows } = await sql<{ row: number; field: CanonicalField; now: string | null; after: string }>`
    select row, field, now, after from correction_cells
    where corrections = ${id} and kind = 'change' and row = any(${numbers}::int[])
    order by line`.execute(db);
  return rows;
}

/** `is_left`: its command has ended or been stopped without this change. */
export type ListedLine = Omit<CorrectionCellsTable, 'import_id' | 'corrections'> & { is_left: boolean };

/** Characters of a value in a reply. */
const shownCharsMax = 500;

/** The first lines of each kind, with cut values. */
export async function readFirstLines(db: Db, { id }: Corrections, limit: number): Promise<ListedLine[]> {
  const { rows } = await sql<ListedLine>`
    select line, row, byte_from, field, kind, left(before, ${shownCharsMax}) as before, left(now, ${shownCharsMax}) as now,
      left(after, ${shownCharsMax}) as after, false as is_left
    from (
      select *, row_number() over (partition by kind order by line, field) as place from correction_cells
      where corrections = ${id}
    ) placed where place <= ${limit} order by line, field`.execute(db);
  return rows;
}

/** The next lines of a file after line `after`: all of the records that have some, in order. */
export async function pageLines(
  db: Db,
  { id, import_id, command }: CorrectionsRecord,
  { after, records }: { after: number; records: number },
): Promise<ListedLine[]> {
  const { rows } = await sql<ListedLine>`
    select line, row, byte_from, field, kind, before, now, after, kind = 'change' and ${command}::uuid is not null
      and not exists (
        select 1 from edits where edits.import_id = ${import_id} and edits.byte_from = cells.byte_from
          and edits.field = cells.field and edits.command = ${command}) as is_left
    from correction_cells cells
    where corrections = ${id} and line > ${after} and line <= (
      select max(line) from (
        select distinct line from correction_cells where corrections = ${id} and line > ${after}
        order by line limit ${records}) next)
    order by line, field`.execute(db);
  return rows;
}
