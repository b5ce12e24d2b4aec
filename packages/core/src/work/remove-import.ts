import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { deleteBatch } from '../review/remove-rows.ts';
import { releasePhotos } from '../scanner/photos.ts';
import type { RunOfRows } from './runs.ts';

/** What has a line per row, product or change of an import. Rows of other runs are removed as those of no import. */
const largeTables = [
  'found_values',
  'picture_matches',
  'outcomes',
  'proposals',
  'edits',
  'command_targets',
  'correction_cells',
  'correction_rows',
  'ai_asks',
  'stamp_reads',
  'key_claims',
] as const;

/** Added rows per part: the photos of each may be named elsewhere, which is looked up one by one. */
const addedRowsMax = 1_000;

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
  const ofPreviews = sql`preview = any(array(select id from previews where import_id = ${import_id}))`;
  const lines = await deleteBatch(db, 'preview_lines', ofPreviews);
  if (lines > 0) return lines;
  const added = (await removeAddedRows(db, import_id)) || (await removePictures(db, import_id));
  if (added > 0) return added;
  return deleteBatch(db, 'chunks', sql`import_id = ${import_id} and kind = 'work'`);
}

/** Removes the next added rows of an import, and the photos that only they name. Returns how many rows. */
async function removeAddedRows(db: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ photos: string[] }>`
    delete from added_rows where ctid = any(array(
      select ctid from added_rows where import_id = ${importId} limit ${addedRowsMax}))
    returning photos`.execute(db);
  await releasePhotos(
    db,
    rows.flatMap(({ photos }) => photos),
  );
  return rows.length;
}

/** Removes the next pictures of an import's file, and the photos that only they name. Returns how many. */
async function removePictures(db: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ photo_id: string | null }>`
    delete from file_pictures where ctid = any(array(
      select ctid from file_pictures where import_id = ${importId} limit ${addedRowsMax}))
    returning photo_id`.execute(db);
  await releasePhotos(
    db,
    rows.flatMap(({ photo_id }) => (photo_id === null ? [] : photoAddress(photo_id))),
  );
  return rows.length;
}

/** Removes a locked import of which all parts have been removed, and the little that is left of it. */
export async function removeImport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute();
}
