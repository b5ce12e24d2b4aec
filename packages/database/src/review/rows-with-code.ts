import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';
import { rowsThatMayHold } from './search/row-search.ts';

/** Without search texts, only imports with at most so many rows are read. */
const unindexedRowsMax = 20_000;

/** A code of a row, and our id of a product of the library whose own row does not count. */
type RowCode = { column: 'sku' | 'gtin'; text: string; except?: string };

/**
 * The first row of a run with a code, or undefined. The rows have no index on codes: the search names those that may
 * have one. A large import whose search is not filled yet is not read.
 */
export async function findRowWithCode(
  db: Db,
  of: RunOfRows & { total_rows: number },
  { column, text, except }: RowCode,
): Promise<number | undefined> {
  const candidates = await rowsThatMayHold(db, of, [text]);
  if (candidates === null && of.total_rows > unindexedRowsMax) return undefined;
  if (candidates?.length === 0) return undefined;
  const found = await db
    .selectFrom('rows')
    .select('row')
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where(column, '=', text)
    .where('ignored', 'is', null)
    .$if(except !== undefined, (query) => query.where('own_id', 'is distinct from', except ?? null))
    .$if(candidates !== null, (query) => query.where('row', '=', sql<number>`any(${candidates}::int[])`))
    .orderBy('row')
    .limit(1)
    .executeTakeFirst();
  return found?.row;
}
