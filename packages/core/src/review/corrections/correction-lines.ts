import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { LineResult } from '@draftshelf/domain/review/corrections/line-kinds';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow, queryRows, queryValues } from '../../connection/query-rows.ts';
import type {
  CorrectionCellsTable,
  CorrectionsCounts,
  CorrectionsRecord,
  EditCommandRecord,
} from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import type { ChangedProduct } from '../commands/operate.ts';
import type { WholeProduct } from '../commands/whole-products.ts';
import { readCommandCorrections } from './corrections.ts';

type Corrections = Pick<CorrectionsRecord, 'id' | 'import_id'>;

/** `isAmbiguous`: the file contains the row several times with different cells. */
export type CorrectedRow = { byteFrom: number; hash: string; isAmbiguous: boolean };

/** Stores the rows of a part. Returns the places of rows that an earlier part has stored with equal cells. */
export async function storeCorrectedRows(
  db: Db,
  { id, import_id }: Corrections,
  given: readonly CorrectedRow[],
): Promise<ReadonlySet<number>> {
  const rows = given.map(({ isAmbiguous, ...row }) => ({ ...row, isAmbiguous: Number(isAmbiguous) }));
  const repeated = await queryValues<number>(db)`
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
    select byte_from from added where is_repeated and not is_ambiguous`;
  return new Set(repeated);
}

export type CorrectionLine = Pick<
  CorrectionCellsTable,
  'line' | 'row' | 'field' | 'kind' | 'before' | 'now' | 'after'
> & { byteFrom: number | null };

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

/** Skips `lines` lines of the rows after `after`. Returns the row of the line that follows, or null at the end. */
export async function findRowAfterLines(
  db: Db,
  { id }: Corrections,
  { after, lines }: { after: number; lines: number },
): Promise<number | null> {
  const found = await findRow<{ row: number }>(db)`
    select row from correction_cells where corrections = ${id} and row > ${after}
    order by row offset ${lines} limit 1`;
  return found?.row ?? null;
}

/**
 * Settles the lines of the rows after `after`, up to row `last` or, if `last` is null, to the end: lines of ambiguous
 * rows are not applied, and if a product field gets its value on the first row, equal lines of other rows are deleted.
 */
export async function settleLines(
  db: Db,
  { id }: Corrections,
  { after, last }: { after: number; last: number | null },
): Promise<Pick<CorrectionsCounts, 'lines' | 'rows' | 'fields'>> {
  const ofRows = (cells: string) => sql`${sql.ref(cells)}.corrections = ${id}
    and ${sql.ref(cells)}.row > ${after} and (${last}::int is null or ${sql.ref(cells)}.row <= ${last}::int)`;
  await sql`
    update correction_cells cells set kind = 'ambiguous'
    where ${ofRows('cells')} and kind in ('change', 'conflict') and exists (
      select 1 from correction_rows
      where corrections = ${id} and correction_rows.byte_from = cells.byte_from
        and is_ambiguous)`.execute(db);
  await sql`
    delete from correction_cells other using correction_cells first
    where ${ofRows('other')} and other.kind = 'of-product' and ${ofRows('first')}
      and first.kind = 'change' and first.byte_from = other.byte_from and first.field = other.field
      and first.after = other.after`.execute(db);
  const kinds = await queryRows<{ kind: LineResult; count: number; rows: number }>(db)`
    select kind, count(*)::int as count, count(distinct row)::int as rows from correction_cells cells
    where ${ofRows('cells')} group by kind`;
  const fields = await queryRows<{ field: CanonicalField; changed: number; emptied: number }>(db)`
    select field, count(*)::int as changed, (count(*) filter (where after = ''))::int as emptied
    from correction_cells cells where ${ofRows('cells')} and kind = 'change' group by field`;
  return {
    lines: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
    rows: kinds.find(({ kind }) => kind === 'change')?.rows ?? 0,
    fields: Object.fromEntries(fields.map(({ field, ...cells }) => [field, { filled: 0, ...cells }])),
  };
}

type ListedLine = Omit<CorrectionLine, 'byteFrom'>;

const shownCharsMax = 500;

const linesLookedAt = 20_000;

/** Returns the first `limit` lines of each kind among the first 20,000 lines, with shortened values. */
export const readFirstLines = (db: Db, { id }: Corrections, limit: number) =>
  queryRows<ListedLine>(db)`
    select line, row, field, kind, left(before, ${shownCharsMax}) as before, left(now, ${shownCharsMax}) as now,
      left(after, ${shownCharsMax}) as after
    from (
      select *, row_number() over (partition by kind order by line, field) as place from (
        select * from correction_cells where corrections = ${id} order by line limit ${sql.lit(linesLookedAt)}
      ) looked_at
    ) placed where place <= ${limit} order by line, field`;

/** Returns the lines of the next `records` records. `is_left`: the command ended without making the line's change. */
export const readLinePage = (
  db: Db,
  { id, import_id, command }: CorrectionsRecord,
  { after, records }: { after: number; records: number },
) =>
  queryRows<ListedLine & { is_left: boolean }>(db)`
    select line, row, field, kind, before, now, after, kind = 'change' and ${command}::uuid is not null
      and not exists (
        select 1 from edits where edits.import_id = ${import_id} and edits.byte_from = cells.byte_from
          and edits.field = cells.field and edits.command = ${command}) as is_left
    from correction_cells cells
    where corrections = ${id} and line > ${after} and line <= (
      select max(line) from (
        select distinct line from correction_cells where corrections = ${id} and line > ${after}
        order by line limit ${records}) next)
    order by line, field`;

export async function findCorrectedRows(
  db: Db,
  command: EditCommandRecord,
  { after, limit }: { after: number; limit: number },
): Promise<{ rows: number[]; next: number | null }> {
  const { id } = await readCommandCorrections(db, command);
  const rows = await queryValues<number>(db)`
    select distinct row from correction_cells
    where corrections = ${id} and kind = 'change' and row > ${after} order by row limit ${limit}`;
  return { rows, next: rows.length === limit ? (rows.at(-1) ?? null) : null };
}

/** `now`: the field's value when the file was compared. */
type CorrectedCell = { row: number; field: CanonicalField; now: string | null; after: string };

/** Applies the corrections of a command in memory. `left` lists cells that were edited after the comparison. */
export async function correctProducts(
  db: Db,
  command: EditCommandRecord,
  products: readonly WholeProduct[],
): Promise<ChangedProduct[]> {
  const { id } = await readCommandCorrections(db, command);
  const numbers = products.flat().map(({ row }) => row);
  const corrected = await queryRows<CorrectedCell>(db)`
    select row, field, now, after from correction_cells
    where corrections = ${id} and kind = 'change' and row = any(${numbers}::int[])
    order by line`;
  const cells = Map.groupBy(corrected, ({ row }) => row);
  return products.map((rows) => {
    const differing = rows.flatMap((row) =>
      (cells.get(row.row) ?? []).flatMap(({ field, now, after }) => {
        const before = row.values[field] ?? null;
        if (after === (before ?? '')) return [];
        // A value that a look-up has found since the comparison is not a change made by the operator.
        const isEdited = (now ?? '') !== (before ?? '') && row.sources[field] !== 'found';
        return [{ row: row.row, field, before, after, isEdited }];
      }),
    );
    return {
      rows,
      changes: differing.flatMap(({ isEdited, ...change }) => (isEdited ? [] : [change])),
      left: differing.flatMap(({ isEdited, row, field, before }) =>
        isEdited ? [{ row, field, before, reason: 'changed-since' as const }] : [],
      ),
      unchanged: 0,
      carry: null,
    };
  });
}
