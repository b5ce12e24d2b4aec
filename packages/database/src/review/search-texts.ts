import { searchedFields, searchText } from '@draftshelf/domain/base/search-text';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { Schema } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import { findDuplicates } from './duplicates.ts';
import { type EffectiveRow, readRowPage, readRowsByNumber } from './effective-rows.ts';
import { countFacets } from './row-facets.ts';
import { lockRows } from './rows-lock.ts';

/** Updates what rows in a range are searched by for which values were found. Locks the rows if there are any. */
export async function refreshFoundTexts(
  db: Db,
  of: RunOfRows,
  range: { firstRow: number; rows: number },
): Promise<void> {
  const found = await db
    .selectFrom('found_values')
    .select('row')
    .distinct()
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '>=', range.firstRow)
    .where('row', '<', range.firstRow + range.rows)
    .where('field', 'in', searchedFields)
    .execute();
  if (found.length === 0) return;
  await lockRows(db, of.import_id);
  const numbers = found.map(({ row }) => row);
  await updateTexts(db, of, await readRowsByNumber(db, of, numbers));
}

async function updateTexts(db: Db, of: RunOfRows, rows: readonly EffectiveRow[]): Promise<void> {
  const changed = rows.flatMap(({ row, ignored, search, values, gtin }) => {
    const text = searchText(values, gtin);
    return ignored !== null || search === text ? [] : [{ row, search: text }];
  });
  if (changed.length === 0) return;
  await withoutNestedLoops(db, () =>
    sql`
      update rows set search = changed.search
      from ${unnestRows('changed', changed, { row: 'int', search: 'text' })}
      where rows.import_id = ${of.import_id} and rows.run = ${of.run}
        and rows.row = any(${changed.map(({ row }) => row)}::int[]) and rows.row = changed.row`.execute(db),
  );
}

/** Rows per transaction. */
const rowsPerPart = 1_000;

/**
 * Gives the rows of a version before what they are searched by, marks duplicates and counts again; after a migration,
 * before any process works. What was done stays done: it goes on where it was interrupted. Returns the number of runs.
 */
export async function fillRows({ db }: { db: Kysely<Schema> }): Promise<number> {
  const runs = await db
    .selectFrom('runs')
    .select(['import_id', 'run'])
    .where('stage', '=', 'parse')
    .where('lacks_search', '=', true)
    .execute();
  for (const of of runs) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: EffectiveRow[] = await readRowPage(db, of, { after, limit: rowsPerPart });
      await db.transaction().execute((trx) => updateTexts(trx, of, rows));
      after = rows.at(-1)?.row;
    }
    await db.transaction().execute(async (trx) => {
      await findDuplicates(trx, of);
      await countFacets(trx, of);
      await trx
        .updateTable('runs')
        .set({ lacks_search: false })
        .where('import_id', '=', of.import_id)
        .where('stage', '=', 'parse')
        .where('run', '=', of.run)
        .execute();
    });
  }
  return runs.length;
}
