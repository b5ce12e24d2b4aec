import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';
import { withKeys } from './duplicates.ts';

/**
 * The products before `before` with one of these SKUs, GTINs or item numbers, in file order. An index finds SKUs and
 * GTINs; for item numbers all rows of the run are read.
 */
export async function findProductsWithKeys(
  db: Db,
  of: RunOfRows,
  keys: readonly string[],
  { before, limit }: { before: number; limit: number },
): Promise<number[]> {
  if (keys.length === 0 || before <= 1) return [];
  const ofItem = sql`item_number = any(${keys}::text[])`;
  const found = [withKeys('sku', keys), withKeys('gtin', keys), ofItem].map(
    (which) => sql`
      select product from rows
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and ignored is null and product < ${before} and ${which}`,
  );
  const { rows } = await sql<{ product: number }>`
    select distinct product from (${sql.join(found, sql` union all `)}) found order by product
      limit ${limit}`.execute(db);
  return rows.map(({ product }) => product);
}

/** `except`: our id of a product of the library whose own row does not count. */
type RowCode = { column: 'sku' | 'gtin'; text: string; except?: string };

export async function findRowWithCode(
  db: Db,
  of: RunOfRows,
  { column, text, except }: RowCode,
): Promise<number | undefined> {
  const found = await db
    .selectFrom('rows')
    .select('row')
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where(withKeys(column, [text]))
    .where('ignored', 'is', null)
    .$if(except !== undefined, (query) => query.where('own_id', 'is distinct from', except ?? null))
    .orderBy('row')
    .limit(1)
    .executeTakeFirst();
  return found?.row;
}
