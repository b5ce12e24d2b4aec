import type { AutoProcessMode } from '@draftshelf/domain/access/settings';
import { readSettings } from '../access/settings.ts';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows } from '../connection/query-rows.ts';
import type { FeedRecord } from '../connection/schema.ts';
import { beginImport } from '../reading/begin-import.ts';
import type { TakenFile } from '../reading/take-file.ts';
import { endFetch } from '../suppliers/feeds.ts';
import { findArrived, lockContent } from './take-from-folder.ts';

type FetchedList = Pick<FeedRecord, 'etag' | 'last_modified' | 'rows_hash'> & {
  filename: string;
  modifiedAt: Date | null;
  currency: string | null;
};

/** Begins an import unless the list is known. The transaction locks the fetch. gone: the address was removed. */
export async function beginFromAddress(
  db: Db,
  id: string,
  file: TakenFile,
  { filename, modifiedAt, currency, ...version }: FetchedList,
): Promise<'taken' | 'same' | 'unchanged' | 'gone'> {
  const { sha256 } = file;
  await lockContent(db, sha256);
  const feed = await findRow<FeedRecord>(db)`
    select * from feeds where id = ${id} and state = 'on' for update`;
  if (!feed || feed.supplier === null) return 'gone';
  const { supplier, shown } = feed;
  const origin = { source: 'address', path: shown, supplier } as const;
  const seen = { ...version, sha256 };
  const isEqual = sha256 === feed.sha256 || version.rows_hash === feed.rows_hash;
  if (isEqual && !(await isWantedAgain(db, feed))) {
    await endFetch(db, id, seen, null);
    return 'unchanged';
  }
  const arrived = await findArrived(db, sha256, origin);
  const { autoProcessMode } = await readSettings(db);
  const begun =
    arrived ??
    (await beginImport(db, file, {
      ...{ filename, currency, changedAt: modifiedAt, chosen: { supplier } },
      ...{ testMode: false, enableUpc: undefined, enableAi: undefined },
      origin: { ...origin, mode: modeOf(feed, autoProcessMode) },
    }));
  const result = arrived ? 'same' : 'taken';
  await endFetch(db, id, seen, { result, import_id: begun.id });
  return result;
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
