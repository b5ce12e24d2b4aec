import type { AutoProcessMode } from '@draftshelf/domain/access/settings';
import { readSettings } from '../access/settings.ts';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows } from '../connection/query-rows.ts';
import type { FeedRecord } from '../connection/schema.ts';
import { beginImport } from '../reading/begin-import.ts';
import type { TakenFile } from '../reading/take-file.ts';
import { endFetch } from '../suppliers/feeds.ts';
import { type Arrival, findArrived, lockContent } from './take-from-folder.ts';

type FetchedList = {
  filename: string;
  version: { etag: string | null; lastModified: string | null };
  modifiedAt: Date | null;
  rowsHash: string;
  currency: string | null;
  /** When it is fetched next, after this one. */
  nextAt: Date | null;
};

/**
 * Begins the import of a fetched list, unless it says what the last one said or has arrived otherwise. In the
 * transaction that locks the fetch. gone: the address was removed meanwhile.
 */
export async function beginFromAddress(
  db: Db,
  id: string,
  file: TakenFile,
  list: FetchedList,
): Promise<Arrival | { is: 'unchanged' | 'gone' }> {
  await lockContent(db, file.sha256);
  const feed = await findRow<FeedRecord>(
    db,
  )`select * from feeds where id = ${id} and state = 'on' for update`;
  if (!feed || feed.supplier === null) return { is: 'gone' };
  const { version, nextAt } = list;
  const seen = {
    ...{ etag: version.etag, last_modified: version.lastModified, nextAt },
    ...{ sha256: file.sha256, rows_hash: list.rowsHash },
  };
  const isEqual = file.sha256 === feed.sha256 || list.rowsHash === feed.rows_hash;
  if (isEqual && !(await isWantedAgain(db, feed))) {
    await endFetch(db, id, seen, null);
    return { is: 'unchanged' };
  }
  // Several addresses may look alike, but a supplier has one. An address that is shown has no other hash.
  const path = `${feed.shown}#${feed.supplier}`;
  const content = { sha256: file.sha256, source: 'address', path } as const;
  const arrived = await findArrived(db, content);
  const settings = await readSettings(db);
  const importId =
    arrived?.id ??
    (
      await beginImport(db, file, {
        filename: list.filename,
        testMode: false,
        enableUpc: undefined,
        enableAi: undefined,
        currency: list.currency,
        chosen: { supplier: feed.supplier },
        changedAt: list.modifiedAt,
        origin: { source: 'address', path, mode: modeOf(feed, settings.autoProcessMode) },
      })
    ).id;
  const is = arrived ? 'same' : 'taken';
  await endFetch(
    db,
    id,
    { ...seen, last_import: importId },
    { result: is, import_id: importId, bytes: file.fileBytes, sentence: null, cause: null },
  );
  return { is, importId };
}

/** Whether an operator asks for a list whose import is gone. */
export const isWantedAgain = async (
  db: Db,
  { asked_at, last_import }: Pick<FeedRecord, 'asked_at' | 'last_import'>,
): Promise<boolean> =>
  asked_at !== null &&
  !(await hasRows(db)`
    select 1 from imports where id = ${last_import} and status not in ('cancelled', 'failed')`);

/** Full auto pushes lists of an address only once an operator has said so for it. */
function modeOf({ runs_itself }: FeedRecord, mode: AutoProcessMode): AutoProcessMode {
  if (runs_itself) return 'full-auto';
  return mode === 'full-auto' ? 'validate-only' : mode;
}
