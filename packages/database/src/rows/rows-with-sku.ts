import { sql } from 'kysely';
import type { RunOfRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { rowsThatMayHold } from './search/row-search.ts';

/** The first row of a run with a SKU, or undefined. */
export async function findRowWithSku(db: Db, of: RunOfRows, sku: string): Promise<number | undefined> {
  const candidates = await rowsThatMayHold(db, of, [sku]);
  const found = await db
    .selectFrom('rows')
    .select('row')
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('sku', '=', sku)
    .where('ignored', 'is', null)
    .$if(candidates !== null, (query) => query.where('row', '=', sql<number>`any(${candidates}::int[])`))
    .orderBy('row')
    .limit(1)
    .executeTakeFirst();
  return found?.row;
}
