import { currentRows, hasEnded, type RunOfRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { findImport } from '@draftshelf/database/imports/imports';
import { scannedIn } from '@draftshelf/database/parse/carry-over';
import type { ImportRecord } from '@draftshelf/database/schema';

/**
 * Where the rows of a run take their offsets from. `countedIn` is stored on an import that takes those of another
 * import.
 */
export type OffsetSource = { from: RunOfRows; countedIn: string | null };

/**
 * Edits and our ids refer to a row by its offset in the bytes that the first run of this file scanned. When a run scans
 * other bytes (one of the encodings needs a transcript), its rows take over the offsets of earlier rows: those of the
 * previous run or, in a first run, those of an earlier import of the same bytes. Returns these, or null when the
 * offsets are already right.
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
