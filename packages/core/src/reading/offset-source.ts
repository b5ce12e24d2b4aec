import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { findImport } from '../imports/imports.ts';
import { currentRows, hasRunEnded, type RunOfRows } from '../work/runs.ts';
import { canKeepOffsets, isSameTable, nameScannedBytes, type ScannedRun } from './carry-over.ts';
import { findDeletedImport } from './kept-places.ts';

/** `countedIn`: the bytes in which copied offsets are counted. Null if both runs belong to the same import. */
export type OffsetSource = { from: ScannedRun; countedIn: string | null };

/**
 * Returns the run whose offsets a run must copy, or null if its own offsets are right. Edits and our ids refer to a
 * row by its offset in the bytes that the first run of this file scanned. A run in another encoding copies the offsets
 * of the previous run or, in run 1, of an earlier import of the same file, which may have been deleted.
 */
export async function findOffsetSource(
  db: Db,
  record: ImportRecord,
  run: number,
): Promise<OffsetSource | null> {
  const now = { import_id: record.id, run };
  const scanned = await nameScannedBytes(db, now);
  if (record.rows_run !== run) {
    if (canKeepOffsets(scanned, await readCountedIn(db, record))) return null;
    const from = await runOfOffsets(db, currentRows(record));
    return {
      ...(isSameTable(scanned, from.scannedIn) ? { from } : createEmptySource(record)),
      countedIn: null,
    };
  }
  const earlier = (await sameImport(db, record)) ?? (await deletedSame(db, record));
  if (!earlier?.countedIn || canKeepOffsets(scanned, earlier.countedIn)) return null;
  return isSameTable(scanned, earlier.from.scannedIn) ? earlier : createEmptySource(record);
}

const nothing = 'nothing';

/** Replaces a lost source by one without rows, so that all offsets are made up and match no offsets of other bytes. */
export const createEmptySource = ({ id }: ImportRecord): OffsetSource => ({
  from: { import_id: id, run: 0, scannedIn: nothing },
  countedIn: nothing,
});

/** Returns the earlier import of the same file; undefined if it is gone or has not read the file yet. */
async function sameImport(db: Db, { same_as }: ImportRecord): Promise<OffsetSource | undefined> {
  const equal = same_as === null ? undefined : await findImport(db, same_as);
  if (!equal || !(await hasRunEnded(db, currentRows(equal)))) return undefined;
  return { from: await runOfOffsets(db, currentRows(equal)), countedIn: await readCountedIn(db, equal) };
}

async function deletedSame(db: Db, { sha256 }: ImportRecord): Promise<OffsetSource | undefined> {
  const deleted = await findDeletedImport(db, sha256);
  if (!deleted) return undefined;
  const { id, run, scanned_in, counted_in } = deleted;
  return { from: { import_id: id, run, scannedIn: scanned_in }, countedIn: counted_in };
}

const runOfOffsets = async (db: Db, of: RunOfRows): Promise<ScannedRun> => ({
  ...of,
  scannedIn: await nameScannedBytes(db, of),
});

export const readCountedIn = async (db: Db, { id, offsets_in }: ImportRecord): Promise<string> =>
  offsets_in ?? nameScannedBytes(db, { import_id: id, run: 1 });
