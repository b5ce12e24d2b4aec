import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import { moveFacets } from '../rows/row-facets.ts';
import {
  productsPerBatch,
  type ValidatedProducts,
  validateNextProducts,
  validateSingleRows,
} from '../rows/validate-products.ts';
import type { ImportRecord } from '../schema.ts';

type RowsOf = Pick<ImportRecord, 'id' | 'rows_run'>;

/** The id of an import's latest edit, 0 when it has none. */
export async function lastEdit(db: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(id), 0) as last from edits where import_id = ${importId}`.execute(db);
  return rows[0]?.last ?? 0;
}

/** Rows scanned for edits at a time. */
const rowsPerScan = 50_000;

/**
 * Applies the edits with ids in (`after`, `until`] to the next edited rows after `at`: validates the products of these
 * rows. `single`: every row is a product of its own. Returns how far it got and how the class counts changed; the
 * facets are updated. The caller holds the lock of the import's rows.
 */
export async function applyEdits(
  db: Db,
  record: RowsOf,
  edits: { after: number; until: number; single: boolean },
  at: number,
): Promise<{ at: number; classes: ValidatedProducts['classes'] }> {
  const last = at + rowsPerScan;
  const edited = await editedRows(db, record, edits, { at, last });
  const { doneTo, classes, facets } = edits.single
    ? await validateNextRows(db, record, edited)
    : await validateNextEdited(db, record, edited);
  await moveFacets(db, { import_id: record.id, run: record.rows_run }, facets);
  return { at: doneTo ?? last, classes };
}

type EditedRow = { row: number; product: number };
/** `doneTo`: the last edited row that is done, or null when all are. */
type NextDone = Pick<ValidatedProducts, 'classes' | 'facets'> & { doneTo: number | null };

async function validateNextRows(db: Db, record: RowsOf, edited: readonly EditedRow[]): Promise<NextDone> {
  const numbers = edited.slice(0, productsPerBatch).map(({ row }) => row);
  const validated = await validateSingleRows(db, record, numbers);
  return { ...validated, doneTo: numbers.length < edited.length ? (numbers.at(-1) ?? null) : null };
}

/** Products may have many rows, so only a few are read at a time. */
const productsPerRead = 500;

async function validateNextEdited(db: Db, record: RowsOf, edited: readonly EditedRow[]): Promise<NextDone> {
  const products = [...new Set(edited.map(({ product }) => product))].slice(0, productsPerRead);
  const validated = await validateNextProducts(db, record, products);
  const done = new Set(products.slice(0, validated.taken));
  const open = edited.findIndex(({ product }) => !done.has(product));
  return { ...validated, doneTo: open === -1 ? null : (edited[open - 1]?.row ?? null) };
}

/** A fresh run has no statistics, so the planner would look up every row among the edits. */
async function editedRows(
  db: Db,
  record: RowsOf,
  edits: { after: number; until: number },
  { at, last }: { at: number; last: number },
): Promise<EditedRow[]> {
  const { rows } = await withoutNestedLoops(db, () =>
    sql<EditedRow>`
      select rows.row, rows.product
      from (
        select distinct byte_from from edits
        where import_id = ${record.id} and id > ${edits.after} and id <= ${edits.until}
      ) edited
      join rows on rows.byte_from = edited.byte_from
      where rows.import_id = ${record.id} and rows.run = ${record.rows_run} and rows.row > ${at}
        and rows.row <= ${last} and ignored is null
      order by rows.row`.execute(db),
  );
  return rows;
}

/** How many edits in effect match no row of a run. */
export async function countEditsWithoutRow(db: Db, record: RowsOf): Promise<number> {
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ count: number }>`
      select count(*)::int as count from (
        select distinct on (byte_from, field) byte_from, after from edits
        where import_id = ${record.id} order by byte_from, field, id desc
      ) latest
      where after is not null and not exists (
        select 1 from rows
        where rows.import_id = ${record.id} and rows.run = ${record.rows_run} and rows.byte_from = latest.byte_from)`.execute(
      db,
    ),
  );
  return rows[0]?.count ?? 0;
}
