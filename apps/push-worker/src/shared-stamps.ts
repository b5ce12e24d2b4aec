import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, Stamps } from '@draftshelf/core/connection/schema';
import {
  claimStampRead,
  findPushedIds,
  productsPerStampRead,
  type StampPart,
  storeStampRead,
} from '@draftshelf/core/push/store/stamp-reads';
import { currentRows } from '@draftshelf/core/work/runs';
import type { PushReads } from './push-reads.ts';

/** Longest wait for the read of another worker; after it the chunk reads its own products. */
const waitMsMax = 10_000;
const lookEveryMs = 100;

/** Returns the time of a product's last change; null: the store does not have it. */
export type ReadStamp = (product: number, id: string) => Promise<string | null>;

/**
 * The first chunk reads a hundred products for one point and stores their times for all workers of the run: with
 * chunks of 25 on four workers, each chunk would otherwise pay a point of its own.
 */
export function sharedStamps(
  db: Db,
  { record, run }: { record: ImportRecord; run: number },
  { stamps, readStamps }: Pick<PushReads, 'stamps' | 'readStamps'>,
  signal: AbortSignal,
): ReadStamp {
  const parts = new Map<number, Promise<Stamps>>();

  async function readPart(part: StampPart): Promise<Stamps> {
    for (const until = performance.now() + waitMsMax; performance.now() < until && !signal.aborted; ) {
      const claimed = await claimStampRead(db, part);
      if (claimed === 'mine') return readAndStore(part);
      if (claimed !== 'reading') return claimed;
      await pause(lookEveryMs);
    }
    return {};
  }

  async function readAndStore(part: StampPart): Promise<Stamps> {
    try {
      const ids = await findPushedIds(db, currentRows(record), part);
      const found = await readStamps(ids);
      const read = Object.fromEntries(ids.map((id) => [id, found.get(id) ?? null]));
      await storeStampRead(db, part, read);
      return read;
    } catch (error) {
      await storeStampRead(db, part, null);
      throw error;
    }
  }

  return async (product, id) => {
    const number = Math.floor((product - 1) / productsPerStampRead);
    const part = parts.get(number) ?? readPart({ import_id: record.id, run, part: number });
    parts.set(number, part);
    const stamp = (await part)[id];
    // This import has not pushed the product before; one of an equal file has.
    return stamp === undefined ? ((await stamps([id])).get(id) ?? null) : stamp;
  };
}
