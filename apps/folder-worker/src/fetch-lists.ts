import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import { type Db, isBusyError, isDatabaseUnavailable } from '@draftshelf/core/connection/database';
import type { FeedRecord } from '@draftshelf/core/connection/schema';
import { beginImportFromAddress, isRequestedAgain } from '@draftshelf/core/folders/begin-from';
import { folderImportsMax } from '@draftshelf/core/folders/claimed-files';
import { hasFeedImportsToProcess, processFeedImports } from '@draftshelf/core/folders/settle-feeds';
import { recallMapping } from '@draftshelf/core/reading/mappings';
import {
  discardIfUnused,
  FileRefused,
  refineRefusal,
  type TakenFile,
  takeFile,
} from '@draftshelf/core/reading/take-file';
import * as feeds from '@draftshelf/core/suppliers/feeds';
import { createListComparison } from '@draftshelf/core/suppliers/listed-rows';
import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { scannedKey } from '@draftshelf/csv/object-keys';
import { toShownFilename } from '@draftshelf/domain/base/file-name';
import {
  type ListPreview,
  previewColumnsMax,
  previewRecordsMax,
} from '@draftshelf/domain/suppliers/fetched-list';
import { notSharedSentence, readListAddress } from '@draftshelf/domain/suppliers/list-address';
import { openSftpList } from '@draftshelf/folders/address/open-sftp-list';
import { openWebList } from '@draftshelf/folders/address/open-web-list';
import { ListUnreadable, type OpenedList, type OpenOptions } from '@draftshelf/folders/address/opened-list';
import { isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import { getRange } from '@draftshelf/object-storage/objects';
import type { TaskHandlers, TaskRun } from '@draftshelf/queues/run-task';
import { type ParsedRow, readChunk } from '@draftshelf/reading/read-chunk';
import type { FolderServices } from './parts.ts';

/** Time limit of a fetch, even if the server keeps sending. */
const fetchMsMax = 900_000;

type Fetcher = FolderServices & {
  keys: SealingKeys | null;
  open: OpenOptions;
  places?: typeof feeds.fetchLimits;
};

/** Returns the tasks for addresses of lists: `poll-feeds` finds due addresses, `fetch-list` fetches or tests a list. */
export function createFeedTasks(
  parts: Fetcher,
): Pick<TaskHandlers<'folder-worker'>, 'poll-feeds' | 'fetch-list'> {
  const { db } = parts.database;
  const { places = feeds.fetchLimits } = parts;
  const slow = new Set<string>();
  return {
    'poll-feeds': {
      hasWork: async () => (await feeds.hasFeedWork(db)) || hasFeedImportsToProcess(db),
      async run({ lock }) {
        await processFeedImports(db);
        await db.transaction().execute(async (trx) => {
          await lock(trx);
          await feeds.requestDueFetches(trx, folderImportsMax, places);
        });
        return 'done';
      },
    },
    'fetch-list': {
      async run(run) {
        const { subject } = run.task;
        const isTooSlow = new AbortController();
        const takeSlowPlace = () => (slow.size < places.slow ? void slow.add(subject) : isTooSlow.abort());
        const timer = setTimeout(takeSlowPlace, places.slowAfterMs);
        await fetchList(parts, run, isTooSlow.signal).finally(() => {
          clearTimeout(timer);
          slow.delete(subject);
        });
        return 'done';
      },
      async onFailed(trx, { subject }) {
        const feed = await feeds.findFeed(trx, subject);
        if (feed) await feeds.recordFailedFetch(trx, feed, notStored);
      },
    },
  };
}

async function fetchList(
  parts: Fetcher,
  { task, signal, lock }: TaskRun,
  tooSlow: AbortSignal,
): Promise<void> {
  const { database, storage, limits, logger } = parts;
  const { db } = database;
  const feed = await feeds.findFeed(db, task.subject);
  if (!feed) return;
  const limited = AbortSignal.any([signal, tooSlow, AbortSignal.timeout(fetchMsMax)]);
  const store = <T>(work: (trx: Db) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      await lock(trx);
      return work(trx);
    });
  try {
    const opened = await openFeed(parts, feed, limited);
    if (opened.is === 'unchanged') return await store((trx) => feeds.recordFetch(trx, feed.id, {}, null));
    const filename = toShownFilename(opened.name.replaceAll(/^.*[/\\]/g, '')) || 'list.csv';
    const recall = (headers: string[]) => recallMapping(db, headers);
    const options = { db, storage, limits, recall, signal: limited };
    const taken = await takeFile(opened.pieces, options).catch((error) => {
      throw error instanceof FileRefused ? refineRefusal(error, filename) : error;
    });
    const fetched = { feed, taken, filename, opened };
    const end = feed.state === 'test' ? endTest : begin;
    await discardIfUnused(taken, storage, () => end(parts, fetched, store));
  } catch (error) {
    signal.throwIfAborted();
    if (isDatabaseUnavailable(error) || isBusyError(error) || isStorageUnavailable(error)) throw error;
    const trouble = limited.aborted ? tookTooLong : troubleOf(error, feed);
    if (trouble === null) throw error;
    const { kind, detail: cause } = trouble;
    logger.warn({ feed: feed.id, kind, cause }, 'A list could not be fetched');
    await store((trx) => feeds.recordFailedFetch(trx, feed, trouble));
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
    throw new ListUnreadable('sign in', 'The saved address can’t be read. Enter it again.');
  const { etag, last_modified: lastModified, host_key: hostKey } = feed;
  const isKnown = feed.state === 'on' && !(await isRequestedAgain(db, feed));
  const known = isKnown ? { etag, lastModified } : { etag: null, lastModified: null };
  const openList = read.address.kind === 'sftp' ? openSftpList : openWebList;
  return openList({ address: read.address, signIn: secret.signIn, hostKey, known, signal }, open);
}

type Opened = Extract<OpenedList, { is: 'list' }>;
type Fetched = { feed: FeedRecord; taken: TakenFile; filename: string; opened: Opened };
type Store = <T>(work: (trx: Db) => Promise<T>) => Promise<T>;

/** Begins an import of a fetched list unless its content is known. Returns whether an import began. */
async function begin(
  parts: Fetcher,
  { feed, taken, filename, opened }: Fetched,
  store: Store,
): Promise<boolean> {
  const { etag, lastModified: last_modified } = opened.version;
  const list = {
    ...{ etag, last_modified, filename, modifiedAt: opened.modifiedAt },
    ...{ rows_hash: await hashTakenRows(taken, parts), currency: await parts.currency() },
  };
  const is = await store((trx) => beginImportFromAddress(trx, feed.id, taken, list));
  parts.logger.info({ feed: feed.id, bytes: taken.fileBytes, is }, 'A list was fetched');
  return is === 'taken';
}

const cellCharsMax = 100;

async function endTest(
  parts: Fetcher,
  { feed, taken, filename, opened }: Fetched,
  store: Store,
): Promise<false> {
  const { whole, headers, mapping } = taken.read;
  const columns = mapping.columns
    .flatMap(({ field }, at) => (field === null ? [] : [{ header: headers[at] ?? '', field }]))
    .slice(0, previewColumnsMax);
  const records: string[][] = [];
  const comparison = feed.supplier === null ? null : createListComparison(parts.database.db, feed.supplier);
  for await (const part of readTakenRows(taken, parts)) {
    for (const { ignored, values } of part) {
      if (ignored === null && records.length < previewRecordsMax)
        records.push(columns.map(({ field }) => (values[field] ?? '').slice(0, cellCharsMax)));
    }
    if (!comparison && records.length === previewRecordsMax) break;
    await comparison?.add(part.flatMap(({ item }) => item ?? []));
  }
  const preview: ListPreview = {
    ...{ filename, rows: whole.rows, products: whole.products, columns, records },
    ...{ compared: (await comparison?.end()) ?? null, hostKey: opened.hostKey },
  };
  await store((trx) => feeds.recordFeedTest(trx, feed.id, { preview, host_key: opened.hostKey }));
  return false;
}

const notStored = new ListUnreadable('network', 'The list was fetched, but couldn’t be stored.');
const tookTooLong = new ListUnreadable('network', 'The list took too long to arrive.');

/** Converts an error to the trouble with a list. Returns null if the error is this server's own. */
function troubleOf(error: unknown, { kind, host }: FeedRecord): ListUnreadable | null {
  if (error instanceof ListUnreadable) return error;
  if (!(error instanceof FileRefused)) return null;
  if (!(error.cause instanceof NotCsvError && error.cause.isWebPage))
    return new ListUnreadable('not a list', error.message);
  const sentence = `${host} sent a web page, not a list. Is a sign-in needed?`;
  return new ListUnreadable('web page', kind === 'sheet' ? notSharedSentence : sentence);
}

/** Reads the rows of a taken file again in parts, so that the event loop can run other work between parts. */
async function* readTakenRows(
  { objectKey, read: { whole, ...header } }: TakenFile,
  { storage, limits }: FolderServices,
): AsyncGenerator<ParsedRow[]> {
  const key = scannedKey(objectKey, header.dialect);
  for (const bounds of whole.cuts) {
    const memory = Buffer.allocUnsafe(bounds.byteTo - bounds.byteFrom);
    const bytes = await getRange(storage, key, bounds.byteFrom, memory);
    let part: ParsedRow[] = [];
    for (const row of readChunk(bytes, bounds, header, limits).rows()) {
      part.push(row);
      if (part.length < partMax) continue;
      yield part;
      part = [];
      await nextTurn();
    }
    yield part;
  }
}

const partMax = 1_000;

/** Hashes the mapped columns regardless of row order, because two exports of one workbook differ in their bytes. */
async function hashTakenRows(taken: TakenFile, parts: FolderServices): Promise<string> {
  let rows = 0;
  let sum = 0n;
  for await (const part of readTakenRows(taken, parts)) {
    for (const { item, cells, ignored } of part) {
      if (ignored !== null) continue;
      rows += 1;
      const text = item
        ? [item.key, ...item.hashes, item.price, item.quantity, item.gtin].join('|')
        : cells.join('\u001f');
      const digest = createHash('sha256').update(text).digest();
      sum = BigInt.asUintN(128, sum + digest.readBigUInt64BE(0) * 2n ** 64n + digest.readBigUInt64BE(8));
    }
  }
  const fields = Object.keys(taken.read.mapping.sources).sort().join(',');
  return createHash('sha256').update(`${rows} ${sum} ${fields}`).digest('hex');
}
