import { wantedForm } from '@draftshelf/domain/base/search-text';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import { withKeys } from './duplicates.ts';
import { readableCells } from './stored-cells.ts';

/**
 * The numbers of products of a run before a number whose rows have one of these SKUs, GTINs or item numbers, in the
 * order of the file. An index finds SKUs and GTINs. Item numbers have none: all search texts of the run are read. An
 * item number is compared as it is in the file, without edits.
 */
export async function findProductsWithKeys(
  db: Db,
  of: RunOfRows,
  keys: readonly string[],
  { before, limit }: { before: number; limit: number },
): Promise<number[]> {
  if (keys.length === 0 || before <= 1) return [];
  const { mapping } = await readParseRun(db, of);
  const items = (mapping.sources.itemNumber ?? []).map(
    (column) => sql`trim((${readableCells})->>${sql.lit(column)}) = any(${keys}::text[])`,
  );
  const inTexts = sql`exists (
      select from string_to_table(rows.search, E'\\n') line where line = any(${keys.map(wantedForm)}::text[]))
    and (${sql.join(items.length > 0 ? items : [sql`false`], sql` or `)})`;
  const found = [withKeys('sku', keys), withKeys('gtin', keys), ...(items.length > 0 ? [inTexts] : [])].map(
    (which) => sql`
      select product from rows
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and ignored is null and product < ${before} and ${which}`,
  );
  const { rows } = await sql<{ product: number }>`
    select distinct product from (${sql.join(found, sql` union all `)}) found order by product limit ${limit}`.execute(
    db,
  );
  return rows.map(({ product }) => product);
}
