import { currentRows, hasEnded, type RunOfRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { findImport } from '@draftshelf/database/imports/imports';
import { scannedIn } from '@draftshelf/database/parse/carry-over';
import type { ImportRecord } from '@draftshelf/database/schema';

/** Run whose offsets another run copies. `countedIn`: stored on an import that copies offsets from another import. */
export type OffsetSource = { from: RunOfRows; countedIn: string | null };

/**
 * Edits and our ids refer to a row by its offset in the bytes that the first run of this file scanned. A run in another
 * encoding scans other bytes. Its rows then copy offsets from the previous run, or, in run 1, from an earlier import of
 * the same file. Returns null when the offsets are already right.
 */
export async function offsetSourceOf(
  db: Db,
  record: ImportRecord,
  run: number,
): Promise<OffsetSource | null> {
  const now = { import_id: record.id, run };
  if (record.rows_run !== run) {
    if ((await scannedIn(db, now)) === (await offsetsIn(db, record))) return null;
    return { from: currentRows(record), countedIn: null };
  }
  if (record.same_as === null) return null;
  const equal = await findImport(db, record.same_as);
  if (!equal || !(await hasEnded(db, currentRows(equal)))) return null;
  const countedIn = await offsetsIn(db, equal);
  if ((await scannedIn(db, now)) === countedIn) return null;
  return { from: currentRows(equal), countedIn };
}

const offsetsIn = async (db: Db, { id, offsets_in }: ImportRecord): Promise<string> =>
  offsets_in ?? scannedIn(db, { import_id: id, run: 1 });
