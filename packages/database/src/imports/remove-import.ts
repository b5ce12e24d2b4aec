import { sql } from 'kysely';
import type { RunOfRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { deleteBatch } from '../rows/remove-rows.ts';
import { releasePhotos } from '../scanner/photos.ts';

/** What has a line per row, product or change of an import. Rows of other runs are removed as those of no import. */
const largeTables = ['found_values', 'outcomes', 'proposals', 'edits'] as const;

/** Removes the next part of what belongs to an import beside its rows, at most 20,000 lines. Returns how many. */
export async function removePartOfImport(
  db: Db,
  { import_id }: Pick<RunOfRows, 'import_id'>,
): Promise<number> {
  for (const table of largeTables) {
    const removed = await deleteBatch(db, table, sql`import_id = ${import_id}`);
    if (removed > 0) return removed;
  }
  // An array, so that lines are found by the primary key.
  const ofPlans = sql`plan = any(array(select id from plans where import_id = ${import_id}))`;
  for (const table of ['plan_lines', 'plan_live'] as const) {
    const removed = await deleteBatch(db, table, ofPlans);
    if (removed > 0) return removed;
  }
  return deleteBatch(db, 'chunks', sql`import_id = ${import_id} and kind = 'work'`);
}

/** Removes a locked import, what is left of it, and the photos that only its rows name. */
export async function removeImport(db: Db, id: string): Promise<void> {
  const added = await db.selectFrom('added_rows').select('photos').where('import_id', '=', id).execute();
  await db.deleteFrom('imports').where('id', '=', id).execute();
  await releasePhotos(
    db,
    added.flatMap(({ photos }) => photos),
  );
}
