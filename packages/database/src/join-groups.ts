import { groupingOf, productRowsMax } from '@draftshelf/domain/grouping';
import type { HeaderMapping } from '@draftshelf/domain/header-mapping';
import { type JudgedRow, productJudge, recordIssues } from '@draftshelf/domain/judged-row';
import { readRowValues } from '@draftshelf/domain/row-values';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { recount } from './product-counts.ts';
import { type RunOfRows, readParseRun } from './runs.ts';
import type { RowRecord } from './schema.ts';

/**
 * Rows with the same group key that stand apart become one product, under its first row's number and up to the store's
 * limit of variants; what is joined is judged anew, and the products are counted. Answers how many rows were joined.
 */
export async function joinGroups(db: Db, of: RunOfRows): Promise<number> {
  const { mapping } = await readParseRun(db, of.import_id, of.run);
  if (groupingOf(mapping).kind === 'none') return 0;
  const joined = await joinRows(db, of);
  if (joined === 0) return 0;
  await judgeJoined(db, of, mapping);
  await recount(db, of);
  return joined;
}

/**
 * The planner knows nothing yet of rows that were just stored, takes them for a single one, and would join them by
 * nested loops: 4,000 rows took 14 s.
 */
async function joinRows(db: Db, { import_id, run }: RunOfRows): Promise<number> {
  await sql`set local enable_nestloop = off`.execute(db);
  const { numAffectedRows } = await sql`
    with keyed as (
      select row, product, group_key,
        (row_number() over (partition by group_key order by row) - 1) / ${sql.lit(productRowsMax)} as part
      from rows
      where import_id = ${import_id} and run = ${run} and group_key is not null and ignored is null
    ), grouped as (
      select row, product, first_value(product) over (partition by group_key, part order by row) as first_product
      from keyed
    )
    update rows set product = grouped.first_product, joined = true
    from grouped
    where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = grouped.row
      and grouped.product <> grouped.first_product`.execute(db);
  await sql`set local enable_nestloop = on`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** So many rows are held at a time: a million may have been joined. */
const rowsPerRead = 500;

/** Judges the rows of joined products by the rule that judges those that stand together. */
async function judgeJoined(db: Db, of: RunOfRows, mapping: HeaderMapping): Promise<void> {
  await sql`
    declare joined_rows no scroll cursor for
    select row, product from (
      select row, product, bool_or(joined) over (partition by product) as is_joined
      from rows where import_id = ${of.import_id} and run = ${of.run} and ignored is null
    ) placed
    where is_joined order by product, row`.execute(db);
  let product = 0;
  let judge = productJudge();
  for (;;) {
    const { rows: places } = await sql<{ row: number; product: number }>`
      fetch ${sql.lit(rowsPerRead)} from joined_rows`.execute(db);
    const stored = await readRows(
      db,
      of,
      places.map(({ row }) => row),
    );
    const changes = new Map<string, Change>();
    for (const place of places) {
      if (place.product !== product) judge = productJudge();
      product = place.product;
      const row = stored.get(place.row);
      if (row) note(changes, row, judge.next(readRowValues(row.cells, mapping)));
    }
    for (const change of changes.values()) await apply(db, of, change);
    if (places.length < rowsPerRead) break;
  }
  await sql`close joined_rows`.execute(db);
}

type StoredRow = Pick<RowRecord, 'row' | 'class' | 'issues' | 'cells'>;

async function readRows(db: Db, of: RunOfRows, numbers: readonly number[]): Promise<Map<number, StoredRow>> {
  const rows = await db
    .selectFrom('rows')
    .select(['row', 'class', 'issues', 'cells'])
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '=', sql<number>`any(${numbers}::int[])`)
    .execute();
  return new Map(rows.map((row) => [row.row, row]));
}

/** What rows are from now on; issues as JSON.stringify writes them, because facets compare their text. */
type Change = Pick<StoredRow, 'class'> & { issues: string | null; rows: number[] };

function note(changes: Map<string, Change>, row: StoredRow, judged: JudgedRow): void {
  const codes = [...recordIssues(row.issues), ...judged.issues];
  const issues = codes.length > 0 ? JSON.stringify(codes) : null;
  if (judged.class === row.class && issues === (row.issues && JSON.stringify(row.issues))) return;
  const key = `${judged.class} ${issues}`;
  const change = changes.get(key) ?? { class: judged.class, issues, rows: [] };
  change.rows.push(row.row);
  changes.set(key, change);
}

async function apply(db: Db, of: RunOfRows, change: Change): Promise<void> {
  await db
    .updateTable('rows')
    .set({ class: change.class, issues: change.issues })
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '=', sql<number>`any(${change.rows}::int[])`)
    .execute();
}
