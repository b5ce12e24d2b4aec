import { duplicateBit, isDuplicate, withDuplicate } from '@draftshelf/domain/review/issue-set';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { runWithoutNestedLoops } from '../connection/planner.ts';
import { queryRows, queryValues } from '../connection/query-rows.ts';
import type { RowFacet, RowRecord } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';
import { createFacetCounter, type FacetedRow } from './row-facets.ts';

/** Keys that reveal duplicates. Item numbers are no keys, because they are often just row numbers. */
export const keys = [
  { column: 'sku', field: 'sku' },
  { column: 'gtin', field: 'upc' },
] as const;
export type Key = (typeof keys)[number];

const bit = sql`${sql.lit(duplicateBit)}::bigint`;
const ofRun = ({ import_id, run }: RunOfRows) =>
  sql`rows.import_id = ${import_id} and rows.run = ${run} and rows.ignored is null`;

/** Characters of a SKU that are indexed. COPY took twice as long with an index of hashes, which are unordered. */
const indexedChars = 64;
const startOf = (sku: string) => [...sku].slice(0, indexedChars).join('');
const indexedSku = sql`left(rows.sku, ${sql.lit(indexedChars)}) collate "C"`;

/** Returns an SQL condition for rows that have one of some SKUs or GTINs. An index finds the rows. */
export function hasAnyKey(column: Key['column'], texts: readonly string[]): RawBuilder<boolean> {
  if (column === 'gtin') return sql`rows.gtin = any(${texts}::text[])`;
  return sql`${indexedSku} = any(${texts.map(startOf)}::text[]) and rows.sku = any(${texts}::text[])`;
}

const withKey = (column: Key['column'], key: RawBuilder<string>) =>
  column === 'gtin'
    ? sql`rows.gtin = ${key}`
    : sql`${indexedSku} = left(${key}, ${sql.lit(indexedChars)}) and rows.sku = ${key}`;

/** Returns an SQL query for the rows of `keyed` whose key also occurs in an earlier product. */
const laterRows = ({ column }: Key) => sql`
  select row from keyed join (
    select ${sql.ref(column)}, min(product) as first_product from keyed
    where ${sql.ref(column)} is not null
    group by ${sql.ref(column)} having min(product) <> max(product)
  ) shared using (${sql.ref(column)}) where product > first_product`;

/**
 * Marks rows whose SKU or GTIN occurs in an earlier product, and unmarks all other rows. Returns the changes of the
 * facets. Reads the run once: for 250,000 rows, one scan per key and one for the marks took 1.5 times as long.
 * Computes the array of rows first, so that the update finds the rows by their primary key.
 */
export async function markDuplicates(db: Db, of: RunOfRows): Promise<RowFacet[]> {
  const found = keys.map(laterRows);
  const columns = keys.map(({ column }) => sql.ref(column));
  const changed = sql`array(
    with keyed as materialized (
      select row, product, ${sql.join(columns)}, issues & ${bit} <> 0 as is_marked from rows where ${ofRun(of)}
    )
    select row from (${sql.join(found, sql` union `)}) found
    full join (select row from keyed where is_marked) marked using (row)
    where found.row is null or marked.row is null)`;
  return runWithoutNestedLoops(db, () => turnMarks(db, of, sql`rows.row = any(${changed})`));
}

/** Inverts the duplicate marks of the rows that meet a condition. Returns the changes of the facets. */
async function turnMarks(db: Db, of: RunOfRows, condition: RawBuilder<unknown>): Promise<RowFacet[]> {
  const alike = await queryRows<FacetedRow & { rows: number }>(db)`
    with turned as (
      update rows set issues = rows.issues # ${bit} where ${ofRun(of)} and ${condition}
      returning class, ignored, issues
    )
    select class, ignored, issues, count(*)::int as rows from turned group by class, ignored, issues`;
  const counter = createFacetCounter();
  for (const { rows, ...after } of alike) {
    counter.add({ ...after, issues: withDuplicate(after.issues, !isDuplicate(after.issues)) }, -rows);
    counter.add(after, rows);
  }
  return counter.facets();
}

type Keyed = Pick<RowRecord, Key['column']>;
export type RekeyedRow = { row: number; before: Keyed; after: Keyed };

/** Updates duplicate marks after changes of keys. Returns the changes of the facets. The caller has locked the rows. */
export async function revalidateDuplicates(db: Db, of: RunOfRows, rekeyed: readonly RekeyedRow[]) {
  const concerned = new Set<number>();
  for (const { column } of keys) {
    const changed = rekeyed.filter(({ before, after }) => before[column] !== after[column]);
    for (const { row } of changed) concerned.add(row);
    for (const row of await rowsBehind(db, of, column, changed)) concerned.add(row);
  }
  if (concerned.size === 0) return [];
  const numbers = [...concerned];
  const isDuplicateNow = sql`rows.row in (select row from (${duplicatesOf(of, numbers)}) found)`;
  return turnMarks(
    db,
    of,
    sql`rows.row = any(${numbers}::int[]) and (rows.issues & ${bit} <> 0) <> (${isDuplicateNow})`,
  );
}

/** Returns, by changed key, the rows with this key in the first other product. Only these rows' marks can change. */
async function rowsBehind(db: Db, of: RunOfRows, column: Key['column'], changed: readonly RekeyedRow[]) {
  const texts = new Set(changed.flatMap(({ before, after }) => [before[column], after[column]]));
  const wanted = [...texts].filter((text) => text !== null);
  if (wanted.length === 0) return [];
  const isSame = withKey(column, sql`wanted.key`);
  return queryValues<number>(db)`
    select other.row from unnest(${wanted}::text[]) as wanted (key)
    cross join lateral (
      select product from rows
      where ${ofRun(of)} and ${isSame} and not rows.row = any(${changed.map(({ row }) => row)}::int[])
      order by product, row limit 1
    ) first
    cross join lateral (
      select row from rows where ${ofRun(of)} and ${isSame} and rows.product = first.product offset 0
    ) other`;
}

/** A row whose key also occurs in an earlier product, and the first row with that key. */
export type Duplicate = { row: number; field: Key['field']; first_row: number };

export async function readDuplicates(db: Db, of: RunOfRows, numbers: readonly number[]) {
  if (numbers.length === 0) return [];
  return queryRows<Duplicate>(db)`${duplicatesOf(of, numbers)} order by row`;
}

function duplicatesOf(of: RunOfRows, numbers: readonly number[]): RawBuilder<unknown> {
  const ofKeys = keys.map(({ column, field }) => {
    const key = sql<string>`asked.${sql.ref(column)}`;
    return sql`
      select asked.row, ${sql.lit(field)} as field, first.row as first_row from rows asked
      cross join lateral (
        select row, product from rows where ${ofRun(of)} and ${withKey(column, key)} order by product, row limit 1
      ) first
      where asked.import_id = ${of.import_id} and asked.run = ${of.run} and asked.row = any(${numbers}::int[])
        and asked.ignored is null and asked.product <> first.product`;
  });
  return sql.join(ofKeys, sql` union all `);
}

export type KeyedRow = { row: number; product: number; field: Key['field']; text: string };

/** Returns the given rows whose SKU or GTIN also occurs in another product, among the given or the stored rows. */
export async function findSharedKeys(db: Db, of: RunOfRows, keyed: readonly KeyedRow[]): Promise<KeyedRow[]> {
  const shared: KeyedRow[] = [];
  for (const { column, field } of keys) {
    const given = keyed.filter((one) => one.field === field);
    if (given.length === 0) continue;
    const texts = [...new Set(given.map(({ text }) => text))];
    const stored = await queryRows<{ product: number; text: string }>(db)`
      select distinct product, ${sql.ref(column)} as text from rows
      where ${ofRun(of)} and ${hasAnyKey(column, texts)}
        and not rows.row = any(${given.map(({ row }) => row)}::int[])`;
    const holders = Map.groupBy([...given, ...stored], ({ text }) => text);
    const isShared = (one: KeyedRow) => holders.get(one.text)?.some(({ product }) => product !== one.product);
    shared.push(...given.filter(isShared));
  }
  return shared;
}
