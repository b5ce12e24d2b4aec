import { type Db, isDatabaseUnavailable } from '@draftshelf/database/connection/database';
import { lockClaims } from '@draftshelf/database/push/sending';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import { PublishStopped } from '@draftshelf/publishing/publish-errors';
import { type PushRecord, storePushRecords } from './push-records.ts';

/** The push run that records belong to, and the chunk whose claim fences them. */
export type RecordsOf = { import: ImportRecord; chunk: ChunkRecord; shop: string };

export type PushRecorder = {
  /** Resolves when the record is committed. Throws PublishStopped when its chunk's claim has been lost. */
  record(of: RecordsOf, record: PushRecord): Promise<void>;
};

type Waiting = { of: RecordsOf; record: PushRecord; resolve(): void; reject(error: unknown): void };

/** Each record changes the row of its import, which all workers share: so a transaction stores several. */
const batchMax = 25;
const batchMsMax = 100;

/**
 * Stores the records of a process in batches: those of one push run together, at the latest 100 ms after the first. A
 * product whose record is lost with the process is still `sending`, and is read from the store.
 */
export function createPushRecorder(db: Db): PushRecorder {
  const runs = new Map<string, Waiting[]>();
  const storing = new Set<string>();

  async function storeAll(run: string): Promise<void> {
    if (storing.has(run)) return;
    storing.add(run);
    try {
      for (;;) {
        const waiting = runs.get(run) ?? [];
        const batch = waiting.splice(0, batchMax);
        if (waiting.length === 0) runs.delete(run);
        if (batch.length === 0) return;
        await storeBatch(db, batch);
      }
    } finally {
      storing.delete(run);
    }
  }

  return {
    record(of, record) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const run = `${of.import.id} ${of.import.rows_run} ${of.chunk.run}`;
      const waiting = runs.get(run) ?? [];
      runs.set(run, waiting);
      waiting.push({ of, record, resolve, reject });
      if (waiting.length === 1) setTimeout(() => void storeAll(run), batchMsMax);
      if (waiting.length >= batchMax) void storeAll(run);
      return promise;
    },
  };
}

/** If a batch cannot be stored, its records are stored one by one, so that one of them does not stop the others. */
async function storeBatch(db: Db, batch: readonly Waiting[]): Promise<void> {
  try {
    const held = await storeHeld(db, batch);
    for (const one of batch) {
      if (held.has(one.of.chunk.id)) one.resolve();
      else one.reject(new PublishStopped());
    }
  } catch (error) {
    const [first, ...others] = batch;
    if (others.length === 0 || isDatabaseUnavailable(error)) for (const one of batch) one.reject(error);
    else for (const one of [first, ...others]) if (one) await storeBatch(db, [one]);
  }
}

/** Stores the records of chunks whose claims are still held, and returns these chunks. */
async function storeHeld(db: Db, batch: readonly Waiting[]): Promise<Set<number>> {
  const [{ of } = fail()] = batch;
  return db.transaction().execute(async (trx) => {
    const chunks = new Map(batch.map((one) => [one.of.chunk.id, one.of.chunk]));
    const held = await lockClaims(trx, [...chunks.values()]);
    const records = batch.filter((one) => held.has(one.of.chunk.id)).map((one) => one.record);
    if (records.length > 0) await storePushRecords(trx, of, records);
    return held;
  });
}

function fail(): never {
  throw new Error('An empty batch is stored');
}
