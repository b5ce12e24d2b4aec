import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RowRecord } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';
import { facetCounter, moveFacets } from './row-facets.ts';
import { readFindings } from './row-findings.ts';
import { rowsThatMayHold } from './search/row-search.ts';

/** The keys that identify a product: a typed column, and the field that a finding names. */
const keys = [
  { column: 'sku', field: 'sku' },
  { column: 'gtin', field: 'upc' },
] as const;
type Key = (typeof keys)[number];

/** Rows of a run with the first row and product that have the same key. Rows of any other product are duplicates. */
const keyedRows = ({ import_id, run }: RunOfRows, { column }: Key, which: RawBuilder<unknown>) => sql`
  select row, product, min(row) over same as first_row, min(product) over same as first_product
  from rows
  where import_id = ${import_id} and run = ${run} and ignored is null and ${which}
  window same as (partition by ${sql.ref(column)})`;

/** The rows of a key that are duplicates, with the first row that has the same value. */
const duplicatesByKey = (of: RunOfRows, key: Key) => sql`
  select row, ${sql.lit(key.field)}::text as field, first_row
  from (${keyedRows(of, key, sql`${sql.ref(key.column)} is not null`)}) keyed
  where product <> first_product`;

/** SQL: all duplicates of a run by their row, field and first row. */
export const duplicatesOf = (of: RunOfRows) =>
  sql.join(
    keys.map((key) => duplicatesByKey(of, key)),
    sql` union all `,
  );

/**
 * Finds products of the file that share a SKU or a GTIN, one pass per key. Each later row refers to the first one.
 * Returns how many it found, and how many were known before (from an edit made while the file was read). Does not
 * update the facets.
 */
export async function findDuplicates(db: Db, of: RunOfRows): Promise<{ found: number; before: number }> {
  let found = 0;
  const { numDeletedRows } = await db
    .deleteFrom('row_findings')
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .executeTakeFirst();
  for (const key of keys) {
    const { numAffectedRows } = await sql`
      insert into row_findings (import_id, run, row, code, field, first_row)
      select ${of.import_id}, ${of.run}, row, 'duplicate', field, first_row
      from (${duplicatesByKey(of, key)}) found`.execute(db);
    found += Number(numAffectedRows ?? 0n);
  }
  return { found, before: Number(numDeletedRows) };
}

type Keyed = Pick<RowRecord, Key['column']>;
/** A row that was validated again, with its keys before and after. */
export type RekeyedRow = { row: number; before: Keyed; after: Keyed };

/**
 * Updates which rows are duplicates after an edit has removed or added keys, by the old and the new keys alone. Updates
 * the facets.
 */
export async function revalidateDuplicates(
  db: Db,
  of: RunOfRows,
  rekeyed: readonly RekeyedRow[],
): Promise<void> {
  const gone = new Set<string>();
  const added = new Set<string>();
  const touched = new Set<number>();
  for (const key of keys) {
    const changed = rekeyed.filter(({ before, after }) => before[key.column] !== after[key.column]);
    if (changed.length === 0) continue;
    for (const { row, is_found } of await revalidateKey(db, of, key, changed)) {
      (is_found ? added : gone).add(`${row} ${key.field}`);
      touched.add(row);
    }
  }
  if (touched.size === 0) return;
  const findings = await readFindings(db, of, [...touched]);
  const wereDuplicates = new Set([...gone].map((found) => Number(found.split(' ')[0])));
  for (const { row, field } of findings) if (!added.has(`${row} ${field}`)) wereDuplicates.add(row);
  const areDuplicates = new Set(findings.map(({ row }) => row));
  await moveDuplicateFacets(db, of, { rows: [...touched], before: wereDuplicates, after: areDuplicates });
}

/** Counts rows that became duplicates, or ceased to be, in their facets. */
export async function moveDuplicateFacets(
  db: Db,
  of: RunOfRows,
  changed: { rows: readonly number[]; before: ReadonlySet<number>; after: ReadonlySet<number> },
): Promise<void> {
  const { before, after } = changed;
  const moved = changed.rows.filter((row) => before.has(row) !== after.has(row));
  const rows = await db
    .selectFrom('rows')
    .select(['row', 'class', 'ignored', 'issues'])
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '=', sql<number>`any(${moved}::int[])`)
    .execute();
  const counter = facetCounter();
  for (const row of rows) {
    counter.add(row, before.has(row.row), -1);
    counter.add(row, after.has(row.row), 1);
  }
  await moveFacets(db, of, counter.facets());
}

/** Updates the findings of one key. Returns those that were removed and added. */
async function revalidateKey(
  db: Db,
  of: RunOfRows,
  key: Key,
  changed: readonly RekeyedRow[],
): Promise<{ row: number; is_found: boolean }[]> {
  const numbers = changed.map(({ row }) => row);
  const texts = new Set(changed.flatMap(({ before, after }) => [before[key.column], after[key.column]]));
  const asked = [...texts].filter((text) => text !== null);
  const candidates = await rowsThatMayHold(db, of, asked);
  const which = sql`${sql.ref(key.column)} = any(${asked}::text[])
    ${candidates === null ? sql`` : sql`and row = any(${[...candidates, ...numbers]}::int[])`}`;
  const { rows } = await sql<{ row: number; is_found: boolean }>`
    with keyed as materialized (${keyedRows(of, key, which)}),
    duplicates as (select row, first_row from keyed where product <> first_product),
    gone as (
      delete from row_findings
      where import_id = ${of.import_id} and run = ${of.run} and code = 'duplicate' and field = ${key.field}
        and (row = any(${numbers}::int[]) or row in (select row from keyed))
        and row not in (select row from duplicates)
      returning row
    ), added as (
      insert into row_findings (import_id, run, row, code, field, first_row)
      select ${of.import_id}, ${of.run}, row, 'duplicate', ${key.field}, first_row from duplicates
      on conflict (import_id, run, row, code, field) do update set first_row = excluded.first_row
        where row_findings.first_row <> excluded.first_row
      returning row, xmax = 0 as is_new
    )
    select row, false as is_found from gone
    union all
    select row, true from added where is_new`.execute(db);
  return rows;
}

/** A row with a SKU or GTIN, and its product. */
export type KeyedRow = { row: number; product: number; field: Key['field']; text: string };

/**
 * Finds the rows of these that have the same SKU or GTIN as a row of another product, among them or stored. Keys that
 * too many stored rows may have are compared only among the given rows.
 */
export async function findSharedKeys(db: Db, of: RunOfRows, keyed: readonly KeyedRow[]): Promise<KeyedRow[]> {
  const shared: KeyedRow[] = [];
  for (const { column, field } of keys) {
    const given = keyed.filter((one) => one.field === field);
    if (given.length === 0) continue;
    const texts = [...new Set(given.map(({ text }) => text))];
    const candidates = new Set(await rowsThatMayHold(db, of, texts));
    for (const { row } of given) candidates.delete(row);
    const stored = await sql<{ product: number; text: string }>`
      select product, ${sql.ref(column)} as text from rows
      where import_id = ${of.import_id} and run = ${of.run} and ignored is null
        and row = any(${[...candidates]}::int[]) and ${sql.ref(column)} = any(${texts}::text[])`.execute(db);
    const holders = Map.groupBy([...given, ...stored.rows], ({ text }) => text);
    const isShared = (one: KeyedRow) => holders.get(one.text)?.some(({ product }) => product !== one.product);
    shared.push(...given.filter(isShared));
  }
  return shared;
}
