import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@draftshelf/core/connection/database';
import type { ChangeTimes, ImportRecord } from '@draftshelf/core/connection/schema';
import {
  claimStampRead,
  findPushedIds,
  productsPerStampRead,
  type StampPart,
  saveStampRead,
} from '@draftshelf/core/push/store/stamp-reads';
import { currentRows } from '@draftshelf/core/work/runs';
import type { WrittenProduct } from '@draftshelf/publishing/read-back';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import type { CallGate } from '@draftshelf/shopify/call-gate';
import { batchReads } from '@draftshelf/shopify/collect-reads';
import type { ReadSizes } from '@draftshelf/shopify/documents';
import { idsPerReadMax, readLiveProducts, readStamps } from '@draftshelf/shopify/products';
import { findImageFiles, readUndoProducts } from '@draftshelf/shopify/undo/undo-live';

export type StoreReader = ReturnType<typeof createStoreReader>;

/** A store with its gate and reads, shared by all chunks that are pushed to it. */
export type PushStore = { session: StoreSession; gate: CallGate; reads: StoreReader };

/** Time that a read of stamps waits for others. If no product has changed, all chunks request stamps at once. */
const stampsWaitMs = 500;
/** Updates that run at the same time share a read. */
const liveLimits = { idsMax: idsPerReadMax, waitMs: 30 };
/** Time that a read-back waits for another. At a Standard store, a chunk ends every 3.5 s, so two share a read-back. */
const backWaitMs = 4_000;

/** Items that a store may add to a list between a write and its read-back. */
const added = { variants: 0, media: 2, metafields: 5 };

/** Maximum number of items in a list of the Admin API per request. */
const listMax = 250;

/** Creates the functions that read from a store. `gate` shows whether writes are still waiting. */
export function createStoreReader({ client, locationId }: StoreSession, gate: CallGate) {
  const sent = new Map<string, ReadSizes>();
  const collectBack = batchReads(
    async (ids) => {
      const sizes = longestOf(ids.flatMap((id) => sent.get(id) ?? []));
      for (const id of ids) sent.delete(id);
      return readLiveProducts(client, ids, { sizes, locationId });
    },
    { idsMax: idsPerReadMax, waitMs: backWaitMs, isIdle: gate.isIdle },
  );
  return {
    /** Reads products before their update, with all lists that can be merged. */
    live: batchReads((ids) => readLiveProducts(client, ids, { locationId }), liveLimits),
    /** Reads the times of products' last changes, without waiting for other chunks. */
    readStamps: (ids: readonly string[]) => readStamps(client, ids),
    /** Reads the times of products' last changes for several chunks at once. */
    stamps: batchReads((ids) => readStamps(client, ids), { idsMax: idsPerReadMax, waitMs: stampsWaitMs }),
    /** Reads products whose push is undone, before and after the undo. */
    undo: batchReads((ids) => readUndoProducts(client, ids, { locationId }), liveLimits),
    /** Reads the ids of images that the store still has. */
    files: batchReads((ids) => findImageFiles(client, ids), liveLimits),
    back(written: readonly WrittenProduct[], importId: string) {
      for (const one of written) sent.set(one.id, sizesOf(one));
      const ids = written.map(({ id }) => id);
      return collectBack(ids, importId);
    },
  };
}

/** Returns the maximum list lengths after a write, which may keep items of others. Drafts lack our two metafields. */
const sizesOf = ({ sent, before }: WrittenProduct): ReadSizes => ({
  variants: sent.variants.length + (before?.variants.length ?? 0),
  media: sent.images.length + (before?.media.length ?? 0),
  metafields: sent.metafields.length + 2 + (before?.metafields.length ?? 0),
});

function longestOf(sizes: readonly ReadSizes[]): ReadSizes {
  const longest = (list: keyof ReadSizes) =>
    Math.min(listMax, Math.max(1, ...sizes.map((one) => one[list])) + added[list]);
  return { variants: longest('variants'), media: longest('media'), metafields: longest('metafields') };
}

/** Longest wait for another worker's read. After that, the chunk reads its own products. */
const waitMsMax = 10_000;
const lookEveryMs = 100;

/** Returns the time of a product's last change, or null if the store does not have the product. */
export type ReadStamp = (product: number, id: string) => Promise<string | null>;

/** Reads the stamps of 100 products for one point, for all workers of the run, because a chunk has only 25 products. */
export function createStampReader(
  db: Db,
  { record, run }: { record: ImportRecord; run: number },
  { stamps, readStamps }: Pick<StoreReader, 'stamps' | 'readStamps'>,
  signal: AbortSignal,
): ReadStamp {
  const parts = new Map<number, Promise<ChangeTimes>>();

  async function readPart(part: StampPart): Promise<ChangeTimes> {
    for (const until = performance.now() + waitMsMax; performance.now() < until && !signal.aborted; ) {
      const claimed = await claimStampRead(db, part);
      if (claimed === 'mine') return readAndStore(part);
      if (claimed !== 'reading') return claimed;
      await pause(lookEveryMs);
    }
    return {};
  }

  async function readAndStore(part: StampPart): Promise<ChangeTimes> {
    try {
      const ids = await findPushedIds(db, currentRows(record), part);
      const found = await readStamps(ids);
      const read = Object.fromEntries(ids.map((id) => [id, found.get(id) ?? null]));
      await saveStampRead(db, part, read);
      return read;
    } catch (error) {
      await saveStampRead(db, part, null);
      throw error;
    }
  }

  return async (product, id) => {
    const number = Math.floor((product - 1) / productsPerStampRead);
    const part = parts.get(number) ?? readPart({ import_id: record.id, run, part: number });
    parts.set(number, part);
    const stamp = (await part)[id];
    // The shared read lacks the stamp of a product that another import of an equal file has pushed.
    return stamp === undefined ? ((await stamps([id])).get(id) ?? null) : stamp;
  };
}
