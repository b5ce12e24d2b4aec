import type { SealingKeys } from '@draftshelf/core/access/sealing';
import { readClock } from '@draftshelf/core/connection/clock';
import { type Db, isBusy, isDatabaseUnavailable } from '@draftshelf/core/connection/database';
import type { FeedRecord } from '@draftshelf/core/connection/schema';
import { folderImportsMax } from '@draftshelf/core/folders/claimed-files';
import { hasUnsettledFeeds, settleFeeds } from '@draftshelf/core/folders/settle-feeds';
import { beginFromAddress, isWantedAgain } from '@draftshelf/core/folders/take-from-address';
import { recallMapping } from '@draftshelf/core/reading/mappings';
import {
  discardFile,
  FileRefused,
  refusalByName,
  type TakenFile,
  takeFile,
} from '@draftshelf/core/reading/take-file';
import { compareTaken } from '@draftshelf/core/suppliers/compare-taken';
import * as feeds from '@draftshelf/core/suppliers/feeds';
import { shownFilename } from '@draftshelf/domain/base/file-name';
import {
  type ListPreview,
  previewColumnsMax,
  previewRecordsMax,
  retryMsOf,
} from '@draftshelf/domain/suppliers/fetched-list';
import { readListAddress } from '@draftshelf/domain/suppliers/list-address';
import { nextFetchAt } from '@draftshelf/domain/suppliers/list-schedule';
import { type OpenOptions, openList } from '@draftshelf/folders/address/open-list';
import { ListUnreadable, type OpenedList } from '@draftshelf/folders/address/opened-list';
import { isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import type { TaskHandlers, TaskRun } from '@draftshelf/queues/run-task';
import type { FolderWorker } from './parts.ts';
import { hashTakenRows, readTakenRows } from './taken-rows.ts';

/** Limit of a fetch, however steadily its server sends. */
const fetchMsMax = 900_000;
/** Lists that are due at the same time are not asked for at the same moment. */
const jitterMsMax = 60_000;

type Fetcher = Pick<FolderWorker, 'database' | 'storage' | 'limits' | 'logger' | 'currency'> & {
  keys: SealingKeys | null;
  open: OpenOptions;
};

/** The tasks of addresses: one finds what is due, one for each address fetches its list, or tests it. */
export function feedTasks(parts: Fetcher): Pick<TaskHandlers<'folder-worker'>, 'poll-feeds' | 'fetch-list'> {
  const { db } = parts.database;
  return {
    'poll-feeds': {
      hasWork: async () => (await feeds.hasFeedWork(db)) || hasUnsettledFeeds(db),
      async run({ lock }) {
        await settleFeeds(db);
        await db.transaction().execute(async (trx) => {
          await lock(trx);
          await feeds.dispatchFeeds(trx, folderImportsMax);
        });
        return 'done';
      },
    },
    'fetch-list': {
      async run(run) {
        await fetchList(parts, run);
        return 'done';
      },
      async onFailed(trx, task) {
        const feed = await feeds.findFeed(trx, task.subject);
        if (feed) await endWithTrouble(trx, feed, notStored);
      },
    },
  };
}

async function fetchList(parts: Fetcher, { task, signal, lock }: TaskRun): Promise<void> {
  const { db } = parts.database;
  const feed = await feeds.findFeed(db, task.subject);
  if (!feed) return;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(fetchMsMax)]);
  const store = (work: (trx: Db) => Promise<void>) =>
    db.transaction().execute(async (trx) => {
      await lock(trx);
      await work(trx);
    });
  try {
    const opened = await openFeed(parts, feed, limited);
    if (opened.is === 'unchanged') {
      await store(async (trx) =>
        feeds.endFetch(trx, feed.id, { nextAt: nextAtOf(feed, await readClock(trx)) }, null),
      );
      return;
    }
    const filename = shownFilename(opened.name.replaceAll(/^.*[/\\]/g, '')) || 'list.csv';
    const taken = await takeOpened(parts, { opened, filename, signal: limited });
    try {
      if (feed.state === 'test') await endTest(parts, { feed, taken, filename, opened }, store);
      else await begin(parts, { feed, taken, filename, opened }, store);
    } catch (error) {
      // The commit may have succeeded although its reply was lost. The sweep removes unused files.
      if (!isDatabaseUnavailable(error)) await discardFile(taken, parts.storage);
      throw error;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (isDatabaseUnavailable(error) || isBusy(error) || isStorageUnavailable(error)) throw error;
    const trouble = troubleOf(error, limited);
    if (trouble === null) throw error;
    parts.logger.warn(
      { feed: feed.id, kind: trouble.kind, cause: trouble.detail },
      'A list could not be fetched',
    );
    await store((trx) => endWithTrouble(trx, feed, trouble));
  }
}

async function openFeed(
  { database: { db }, keys, open }: Fetcher,
  feed: FeedRecord,
  signal: AbortSignal,
): Promise<OpenedList> {
  const secret = await feeds.readFeedSecret(db, keys, feed.id);
  const read = secret && readListAddress(secret.address, open.sheetsAt);
  if (!secret || !read?.ok)
    throw new ListUnreadable('sign in', 'What was saved of this address can’t be read. Enter it again.');
  const isKnown = feed.state === 'on' && !(await isWantedAgain(db, feed));
  return openList(
    {
      ...{ address: read.address, signIn: secret.signIn, hostKey: feed.host_key, signal },
      known: isKnown
        ? { etag: feed.etag, lastModified: feed.last_modified }
        : { etag: null, lastModified: null },
    },
    open,
  );
}

type Opened = Extract<OpenedList, { is: 'list' }>;

async function takeOpened(
  { database: { db }, storage, limits }: Fetcher,
  { opened, filename, signal }: { opened: Opened; filename: string; signal: AbortSignal },
): Promise<TakenFile> {
  try {
    return await takeFile(opened.pieces, {
      ...{ db, storage, limits, signal },
      recall: (headers) => recallMapping(db, headers),
    });
  } catch (error) {
    throw error instanceof FileRefused ? refusalByName(error, filename) : error;
  }
}

type Fetched = { feed: FeedRecord; taken: TakenFile; filename: string; opened: Opened };
type Store = (work: (trx: Db) => Promise<void>) => Promise<void>;

async function begin(
  parts: Fetcher,
  { feed, taken, filename, opened }: Fetched,
  store: Store,
): Promise<void> {
  const rowsHash = await hashTakenRows(taken, parts);
  const currency = await parts.currency();
  let isUsed = false;
  await store(async (trx) => {
    const { version, modifiedAt } = opened;
    const list = {
      filename,
      version,
      modifiedAt,
      rowsHash,
      currency,
      nextAt: nextAtOf(feed, await readClock(trx)),
    };
    const arrival = await beginFromAddress(trx, feed.id, taken, list);
    isUsed = arrival.is === 'taken';
    parts.logger.info({ feed: feed.id, bytes: taken.fileBytes, is: arrival.is }, 'A list was fetched');
  });
  if (!isUsed) await discardFile(taken, parts.storage);
}

async function endTest(
  parts: Fetcher,
  { feed, taken, filename, opened }: Fetched,
  store: Store,
): Promise<void> {
  const { whole, headers, mapping } = taken.read;
  const columns = mapping.columns
    .flatMap(({ field }, at) => (field === null ? [] : [{ header: headers[at] ?? '', field }]))
    .slice(0, previewColumnsMax);
  const records: string[][] = [];
  const comparison = feed.supplier === null ? null : compareTaken(parts.database.db, feed.supplier);
  for await (const part of readTakenRows(taken, parts)) {
    for (const { ignored, values } of part) {
      if (ignored === null && records.length < previewRecordsMax)
        records.push(columns.map(({ field }) => (values[field] ?? '').slice(0, cellCharsMax)));
    }
    if (!comparison && records.length === previewRecordsMax) break;
    await comparison?.add(part.flatMap(({ item }) => item ?? []));
  }
  const preview: ListPreview = {
    ...{ filename, bytes: taken.fileBytes, rows: whole.rows, products: whole.products, columns, records },
    ...{ compared: (await comparison?.end()) ?? null, hostKey: opened.hostKey },
  };
  await store((trx) => feeds.endTest(trx, feed.id, { preview, hostKey: opened.hostKey, trouble: null }));
  await discardFile(taken, parts.storage);
}

const cellCharsMax = 100;

const notStored = new ListUnreadable('network', 'The list was fetched, but couldn’t be stored.');

/** Null: an error of this server, not of the list. */
function troubleOf(error: unknown, limited: AbortSignal): ListUnreadable | null {
  if (error instanceof ListUnreadable) return error;
  if (error instanceof FileRefused) return new ListUnreadable('not a list', error.message);
  if (limited.aborted) return new ListUnreadable('network', 'The list took too long to arrive.');
  return null;
}

async function endWithTrouble(
  trx: Db,
  feed: FeedRecord,
  { kind, message, detail, waitMs }: ListUnreadable,
): Promise<void> {
  const trouble = { kind, sentence: message, cause: detail };
  if (feed.state === 'test') return feeds.endTest(trx, feed.id, { preview: null, trouble });
  const now = await readClock(trx);
  const scheduled = nextAtOf(feed, now);
  const retryMs = waitMs ?? retryMsOf(kind, feed.failures + 1);
  const retryAt = retryMs === null ? null : new Date(now.getTime() + retryMs);
  const nextAt = retryAt && (scheduled === null || retryAt < scheduled) ? retryAt : scheduled;
  await feeds.endFailedFetch(trx, feed.id, trouble, nextAt);
}

function nextAtOf({ schedule, zone }: FeedRecord, now: Date): Date | null {
  if (schedule === null) return null;
  return new Date(nextFetchAt(schedule, zone, now).getTime() + Math.random() * jitterMsMax);
}
