import { searchedFields, searchText } from '@draftshelf/domain/base/search-text';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';
import { findDuplicates } from './duplicates.ts';
import { type EffectiveRow, readRowPage, readRowsByNumber } from './effective-rows.ts';
import { countFacets } from './row-facets.ts';
import { lockRows } from './rows-lock.ts';
import { updateColumns } from './validated-rows.ts';

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
  await updateColumns(db, of, changed, ['search']);
}

/** Rows per transaction. */
const rowsPerPart = 1_000;

/**
 * Gives the rows of a version before what they are searched by, and marks duplicates; after a migration, before any
 * process works. What was done stays done: it goes on where it was interrupted. Returns the number of runs.
 */
export async function fillRows({ db }: { db: Kysely<Schema> }): Promise<number> {
  const { rows: runs } = await sql<RunOfRows & { isWhole: boolean }>`
    select import_id, run, rows_removed_at is null and deletion_began_at is null
      and not exists (
        select from chunks where chunks.import_id = imports.id and task = 'retire-rows' and chunks.done > 0
      ) as "isWhole"
    from runs join imports on imports.id = import_id where runs.stage = 'parse' and lacks_search`.execute(db);
  for (const { isWhole, ...of } of runs) {
    for (let after: number | undefined = 0; after !== undefined; )
      after = await db.transaction().execute((trx) => fillPart(trx, of, after ?? 0));
    await db.transaction().execute(async (trx) => {
      await lockRows(trx, of.import_id);
      await findDuplicates(trx, of);
      // Counts outlive rows that were removed.
      if (isWhole) await countFacets(trx, of);
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

/** Fills the next rows. Returns the last one; undefined: there are no more. */
async function fillPart(db: Db, of: RunOfRows, after: number): Promise<number | undefined> {
  await lockRows(db, of.import_id);
  const rows = await readRowPage(db, of, { after, limit: rowsPerPart });
  await updateTexts(db, of, rows);
  return rows.at(-1)?.row;
}
