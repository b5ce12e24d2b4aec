import type { Db } from '@draftshelf/core/connection/database';
import type {
  ChunkRecord,
  GoneRecord,
  ImportRecord,
  PlanRecord,
  PreviewKind,
  PushUndoRecord,
} from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import {
  addPreviewCounts,
  changePreview,
  completePreview,
  findPreview,
  type PreviewChange,
  type PreviewPartCounts,
} from '@draftshelf/core/push/previews/previews';
import { createStoreBudget, pointsReservedForPushes } from '@draftshelf/core/push/store/store-budget';
import { lockHeldChunk, markDone } from '@draftshelf/core/work/claim-chunk';
import { storeTaskProgress, type TaskPartHandler, type TaskProgress } from '@draftshelf/core/work/tasks';
import { PublishLater } from '@draftshelf/publishing/publish-errors';
import { type StoreSession, storeSessions } from '@draftshelf/publishing/store-session';
import { CannotSucceed, ReleaseChunk, RetryLater } from '@draftshelf/queues/chunk-errors';
import type { Logger } from '@draftshelf/runtime/logger';
import type { PlainFetch } from '@draftshelf/runtime/plain-fetch';
import { type Budget, createShopifyClient, type ShopifyClient, type Store } from '@draftshelf/shopify/client';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import type { Stores } from '@draftshelf/shopify/stores';

/** Time limit of a part. A part that waits longer for the store leaves its slot to others. */
const partMsMax = 20_000;

export type PlanningStore = {
  client: ShopifyClient;
  openSession(signal: AbortSignal): Promise<StoreSession>;
  /** Returns the points that the client's calls have taken, and the time in which they waited for points. */
  spent(): { points: number; waitedMs: number };
};
export type FindPlanningStore = () => Promise<PlanningStore | null>;

/** `signal` aborts if the process stops or the part's time is over, `stop` only if the process stops. */
export type PreviewWork<Preview> = {
  db: Parameters<TaskPartHandler>[0];
  chunk: ChunkRecord;
  record: ImportRecord;
  preview: Preview;
  store: PlanningStore;
  signal: AbortSignal;
  stop: AbortSignal;
};

type Previewing<Preview> = {
  kind: PreviewKind;
  currentStore: FindPlanningStore;
  /** If false, the task ends without a result. */
  isWanted(record: ImportRecord, preview: Preview, chunk: ChunkRecord): boolean;
  part(work: PreviewWork<Preview>): Promise<TaskProgress>;
};

/** Returns a task that makes a preview. A permanent error is stored with it: only a new preview can succeed. */
export function createPreviewTask<Preview extends PlanRecord | PushUndoRecord | GoneRecord>({
  kind,
  currentStore,
  isWanted,
  part,
}: Previewing<Preview>): TaskPartHandler {
  return async (db, chunk, stop) => {
    const held = await lockHeldChunk(db, chunk);
    const record = await findImport(db, chunk.import_id);
    const preview = (await findPreview(db, chunk.import_id, kind)) as Preview | undefined;
    if (!record || !preview || !isWanted(record, preview, chunk)) {
      return markDone(db, chunk);
    }
    const limit = AbortSignal.timeout(partMsMax);
    const signal = AbortSignal.any([stop, limit]);
    try {
      const store = await currentStore();
      if (!store) {
        const again = kind === 'undo' ? 'preview again' : 'plan again';
        throw new CannotSucceed(`No store is connected. Connect one in Settings, then ${again}.`);
      }
      return await part({ db, chunk: held, record, preview, store, signal, stop });
    } catch (error) {
      if (stop.aborted) throw new ReleaseChunk();
      if (limit.aborted && error === limit.reason)
        return { waitFor: 'Waits until the store accepts more requests.' };
      const failure = toTaskError(error);
      if (!(failure instanceof CannotSucceed)) throw failure;
      await db.transaction().execute(async (trx) => {
        await lockHeldChunk(trx, chunk);
        await changePreview(trx, preview.id, { problem: failure.message });
        await markDone(trx, chunk);
      });
      return 'done';
    }
  };
}

/** Stores a part's lines, counts and progress. `isLast`: the task is done, so columns in `ended` are set too. */
export async function storePreviewPart(
  { db, chunk, preview }: Pick<PreviewWork<{ id: number }>, 'db' | 'chunk' | 'preview'>,
  part: Partial<PreviewPartCounts> & {
    insert(trx: Db): Promise<void>;
    changed: PreviewChange;
    done: number;
    isLast: boolean;
    ended?: (trx: Db) => Promise<PreviewChange>;
  },
): Promise<'more' | 'done'> {
  await db.transaction().execute(async (trx) => {
    await lockHeldChunk(trx, chunk);
    await part.insert(trx);
    await addPreviewCounts(trx, preview.id, part, part.changed);
    await storeTaskProgress(trx, chunk, part.done);
    if (!part.isLast) return;
    await completePreview(trx, preview.id, (await part.ended?.(trx)) ?? {});
    await markDone(trx, chunk);
  });
  return part.isLast ? 'done' : 'more';
}

export function toTaskError(error: unknown): unknown {
  if (error instanceof PublishLater) return new RetryLater(error.message, { waitMs: error.waitMs });
  if (error instanceof StoreRefused) return new CannotSucceed(error.message, { cause: error });
  if (!(error instanceof StoreUnavailable) || error.reason === 'fault') return error;
  // A store may throttle a call although it has enough points. The wait is then 0, so the default pause is used.
  return new RetryLater(error.message, { waitMs: error.waitMs || undefined, cause: error });
}

export function countByKey(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** Opens the stores of this process with clients from `createClient`. */
export type OpenStores = (createClient: (store: Store) => ShopifyClient) => Stores;

/** Returns a function that opens the store for plans. Its client leaves points for pushes, so that pushes go first. */
export function createStoreFinder(
  db: Db,
  open: OpenStores,
  calls: { logger: Logger; fetch: PlainFetch },
): FindPlanningStore {
  const planning = new WeakMap<ShopifyClient, PlanningStore>();
  const sessions = storeSessions();
  const stores = open((store) => {
    const { budget, spent } = counted(createStoreBudget(db, store.url, pointsReservedForPushes));
    const client = createShopifyClient(store, { budget, ...calls });
    planning.set(client, { client, openSession: (signal) => sessions.open(client, signal), spent });
    return client;
  });
  return async () => {
    const store = await stores.current();
    return (store && planning.get(store.client)) ?? null;
  };
}

/** Returns a budget that counts the points taken, and the time in which at least one call waited for points. */
function counted(budget: Budget): { budget: Budget; spent: PlanningStore['spent'] } {
  let points = 0;
  let waitedMs = 0;
  let waiting = 0;
  let since = 0;
  const reserve: Budget['reserve'] = async (wanted, signal) => {
    if (waiting === 0) since = performance.now();
    waiting += 1;
    try {
      const reservation = await budget.reserve(wanted, signal);
      points += wanted;
      return reservation;
    } finally {
      waiting -= 1;
      if (waiting === 0) waitedMs += performance.now() - since;
    }
  };
  const spent = () => ({ points, waitedMs: waitedMs + (waiting > 0 ? performance.now() - since : 0) });
  return { budget: { ...budget, reserve }, spent };
}
