import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';
import { withKeys } from './duplicates.ts';

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
