import type { AutoProcessMode, Settings } from '@draftshelf/domain/access/settings';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { sql } from 'kysely';
import { readSettings } from '../access/settings.ts';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows } from '../connection/query-rows.ts';
import type { FeedRecord } from '../connection/schema.ts';
import { holdOlderVersions, isFileVersion, type VersionOrigin } from '../push/auto-push.ts';
import { beginImport } from '../reading/begin-import.ts';
import type { TakenFile } from '../reading/take-file.ts';
import { recordFetch } from '../suppliers/feeds.ts';
import { type ClaimedFile, endClaim, lockClaimedFile } from './claimed-files.ts';

/** Begins an import of a claimed file and ends the claim. Imports known content only on request. Throws ClaimLost. */
export async function beginImportFromFolder(
  db: Db,
  claim: ClaimedFile,
  file: TakenFile,
  options: { filename: string; source: FolderKind; path: string; currency: string | null },
): Promise<{ is: 'taken' | 'same'; importId: string }> {
  const { filename, source, path, currency } = options;
  await lockContent(db, file.sha256);
  const watched = await lockClaimedFile(db, claim);
  const settings = await readSettings(db);
  const origin = { source, path };
  const arrived = watched.take_anyway ? undefined : await findArrived(db, file.sha256, origin);
  // The path now has content that another import has, so older versions from this path are outdated.
  if (arrived) await holdOlderVersions(db, arrived.id, origin);
  const begun =
    arrived ??
    (await beginImport(db, file, {
      ...{ filename, currency, changedAt: watched.modified_at },
      origin: { ...origin, mode: settings.autoProcessMode },
    }));
  const is = arrived ? 'same' : 'taken';
  await endClaim(db, claim, {
    state: is,
    ...{ reason: null, import_id: begun.id, sha256: file.sha256, attempts: 0 },
    ...optionOf(settings),
  });
  return { is, importId: begun.id };
}

/** Returns the action for an imported file. If both settings are on, the file is moved instead of deleted. */
function optionOf({ moveToArchive, deleteAfterProcess }: Settings) {
  if (moveToArchive) return { option: 'due', option_wanted: 'archive' } as const;
  if (deleteAfterProcess) return { option: 'due', option_wanted: 'delete' } as const;
  return { option: null, option_wanted: null };
}

type FetchedList = Pick<FeedRecord, 'etag' | 'last_modified' | 'rows_hash'> & {
  filename: string;
  modifiedAt: Date | null;
  currency: string | null;
};

/** Begins an import unless its list is known. The caller has locked the fetch. gone: the address was removed. */
export async function beginImportFromAddress(
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
  if (isEqual && !(await isRequestedAgain(db, feed))) {
    await recordFetch(db, id, seen, null);
    return 'unchanged';
  }
  const arrived = await findArrived(db, sha256, origin);
  const { autoProcessMode } = await readSettings(db);
  const begun =
    arrived ??
    (await beginImport(db, file, {
      ...{ filename, currency, changedAt: modifiedAt, chosen: { supplier } },
      origin: { ...origin, mode: modeOf(feed, autoProcessMode) },
    }));
  const result = arrived ? 'same' : 'taken';
  await recordFetch(db, id, seen, { result, import_id: begun.id });
  return result;
}

/** Whether an operator requested a list whose last import was deleted, has failed or was cancelled. */
export const isRequestedAgain = async (
  db: Db,
  { asked_at, last_import }: Pick<FeedRecord, 'asked_at' | 'last_import'>,
): Promise<boolean> =>
  asked_at !== null &&
  !(await hasRows(db)`
    select 1 from imports where id = ${last_import} and status not in ('cancelled', 'failed')`);

/** Returns the mode for an address's lists. Full auto also needs the operator's consent for the address. */
function modeOf({ runs_itself }: FeedRecord, mode: AutoProcessMode): AutoProcessMode {
  if (runs_itself) return 'full-auto';
  return mode === 'full-auto' ? 'validate-only' : mode;
}

/** Makes imports of the same bytes begin one after the other, so that the second finds the first. */
async function lockContent(db: Db, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('folder content'), hashtext(${sha256}))`.execute(db);
}

/** Finds the latest usable import of the same bytes, except one from `origin` if other bytes came from there later. */
const findArrived = (db: Db, sha256: string, origin: VersionOrigin) =>
  findRow<{ id: string }>(db)`
    with arrived as (
      select id, sha256, created_at, ${isFileVersion(origin)} as "isHere" from imports
      where (sha256 = ${sha256} or ${isFileVersion(origin)})
        and not test_mode and status not in ('cancelled','failed')
    )
    select id from arrived
    where sha256 = ${sha256} and not ("isHere" and exists (
      select 1 from arrived newer where newer."isHere" and newer.sha256 <> ${sha256}
        and newer.created_at > arrived.created_at
    ))
    order by created_at desc limit 1`;
