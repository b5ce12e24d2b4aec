import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryValues } from '../connection/query-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import { hasAnyKey } from './duplicates.ts';

/** Finds products numbered below `before` by SKU, GTIN or item number, in file order. Item numbers have no index. */
export async function findProductsWithKeys(
  db: Db,
  of: RunOfRows,
  keys: readonly string[],
  { before, limit }: { before: number; limit: number },
): Promise<number[]> {
  if (keys.length === 0 || before <= 1) return [];
  const ofItem = sql`item_number = any(${keys}::text[])`;
  const found = [hasAnyKey('sku', keys), hasAnyKey('gtin', keys), ofItem].map(
    (which) => sql`
      select product from rows
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and ignored is null and product < ${before} and ${which}`,
  );
  return queryValues<number>(db)`
    select distinct product from (${sql.join(found, sql` union all `)}) found order by product
      limit ${limit}`;
}

/** `except`: the own id of a scanned product, whose row is skipped. */
type RowCode = { column: 'sku' | 'gtin'; text: string; except?: string };

export async function findRowWithCode(db: Db, of: RunOfRows, { column, text, except }: RowCode) {
  const found = await findRow<{ row: number }>(db)`
    select row from rows
    where import_id = ${of.import_id} and run = ${of.run} and ${hasAnyKey(column, [text])} and ignored is null
      ${except === undefined ? sql`` : sql`and own_id is distinct from ${except}`}
    order by row limit 1`;
  return found?.row;
}
