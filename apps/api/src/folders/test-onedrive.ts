import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@draftshelf/contract/access/connections';
import type { Folder } from '@draftshelf/contract/folders/folders';
import { readSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import { readLook } from '@draftshelf/core/folders/shown-files';
import { requestLook } from '@draftshelf/core/folders/sources';
import type { ApiDatabases } from '../http/databases.ts';
import { findShownFolder } from './folder-list.ts';

/** Maximum time for which a test waits for a look by the folder worker. */
const lookMsMax = 10_000;
const pauseMs = 250;

/** Returns OneDrive's connection, which is connected only if the last look succeeded and a next look is planned. */
export async function readOneDriveConnection(db: Db): Promise<Connection> {
  const folder = await findShownFolder(db, 'onedrive');
  return {
    id: 'onedrive',
    service: 'onedrive',
    status: statusOf(folder),
    details: folder ? detailsOf(folder) : { badge: 'Setup Required' },
  };
}

function statusOf(folder: Folder | undefined): string {
  if (folder?.badge === 'Connected') return 'connected';
  return folder?.badge === 'Sign In Again' ? folder.badge : 'disconnected';
}

function detailsOf(folder: Folder): Connection['details'] {
  const { badge, sentence, account, place, lastLook, nextLook, trouble } = folder;
  return {
    message: sentence,
    badge,
    ...(trouble?.cause && { cause: trouble.cause }),
    ...(account !== null && { account }),
    ...(place !== null && { folder: place }),
    ...(lastLook !== null && { lastLook }),
    ...(nextLook !== null && { nextLook }),
  };
}

type Test = { success: boolean; message: string; cause?: string };

export async function testOneDrive({ database, changes }: Pick<ApiDatabases, 'database' | 'changes'>) {
  const before = await findShownFolder(database.db, 'onedrive');
  if (before === undefined || !before.isSignedIn) return failed('OneDrive isn’t connected.');
  if (before.workers === 0) return failed('No folder worker is running.');
  if (before.state === 'setup') return failed(before.sentence);
  if (before.state === 'off') {
    return { success: true, message: `Signed in${asAccount(before)}. ${before.sentence}` };
  }
  const look = await readLook(database.db, 'onedrive');
  const asked = await requestLook(changes.db, 'onedrive', 0);
  if (asked.is === 'blocked')
    return failed(`Microsoft is limiting requests. Wait ${minutesOf(asked.waitMs)}.`);
  if (!(await hasLooked(database.db, look?.look ?? 0))) {
    return failed('The folder worker didn’t answer within 10 seconds. It may still check the folder.');
  }
  return resultOf(database.db);
}

const failed = (message: string): Test => ({ success: false, message });

/** Returns ' as <account>', or ' to <URL>' if the account is the URL of an app registration's site. */
function asAccount({ account }: Folder): string {
  if (account === null) return '';
  return account.startsWith('https://') ? ` to ${account}` : ` as ${account}`;
}

function minutesOf(waitMs: number): string {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  return minutes === 1 ? 'another minute' : `another ${minutes} minutes`;
}

/** Waits until a look after number `before` has ended. Returns false if none has ended in time. */
async function hasLooked(db: Db, before: number): Promise<boolean> {
  const beganMs = performance.now();
  while (performance.now() - beganMs < lookMsMax) {
    const now = await readLook(db, 'onedrive');
    if (now && now.look > before && !now.isLooking) return true;
    await sleep(pauseMs);
  }
  return false;
}

async function resultOf(db: Db): Promise<Test> {
  const folder = await findShownFolder(db, 'onedrive');
  if (folder === undefined) return failed('OneDrive isn’t connected.');
  if (folder.badge !== 'Connected') {
    return { ...failed(folder.sentence), ...(folder.trouble?.cause && { cause: folder.trouble.cause }) };
  }
  const { deleteAfterProcess, moveToArchive } = await readSettings(db);
  if (folder.canWrite === false && (deleteAfterProcess || moveToArchive)) {
    return failed('The folder can be read, but not changed: files can’t be deleted or archived.');
  }
  const files = folder.files === 1 ? '1 file' : `${folder.files} files`;
  return { success: true, message: `Connected${asAccount(folder)}. ${folder.place} has ${files}.` };
}
