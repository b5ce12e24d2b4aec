import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { withPinnedConnection } from '@draftshelf/core/connection/database';
import { moveStatus } from '@draftshelf/core/imports/imports';
import {
  dropUnwanted,
  hasSweepWork,
  lockPublishableChunks,
  markPublished,
} from '@draftshelf/core/work/chunks';
import { claimChunk, recordFailedAttempt } from '@draftshelf/core/work/claim-chunk';
import { completeChunk } from '@draftshelf/core/work/complete-chunk';
import { pauseImport, resumeImport } from '@draftshelf/core/work/import-actions';
import { recordHeartbeat, removeProcess } from '@draftshelf/core/work/processes';
import { createQueue, createWorker } from '@draftshelf/queues/connection';
import { chooseQueueConnection } from '@draftshelf/queues/queue-connection';
import { relayOnce } from '@draftshelf/queues/relay';
import { createSlots } from '@draftshelf/queues/slots';
import { sweepOnce, watchUnheldJobs } from '@draftshelf/queues/sweep';
import { afterEach, describe, expect } from 'vitest';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { queueBackends, startRedis } from '../../support/queue-backend.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();

const processes: string[] = [];
afterEach(async () => {
  const { db } = fixture.database;
  for (const id of processes.splice(0)) await removeProcess(db, id);
  const left = await db.selectFrom('imports').select('id').where('status', '=', 'processing').execute();
  for (const { id } of left) await moveStatus(db, id, { from: ['processing'], to: 'cancelled' });
  await dropUnwanted(db, 'parse');
});

/** A live parse worker, according to Postgres. */
async function liveWorker(slots: number): Promise<string> {
  const id = randomUUID();
  processes.push(id);
  await recordHeartbeat(fixture.database.db, {
    id,
    kind: 'parse-worker',
    version: '0',
    host: 'test',
    pid: 1,
    slots,
  });
  return id;
}

/** A process that sweeps next: another one has just begun a sweep. */
async function nextSweeper(): Promise<string> {
  await fixture.database.pool.query('update processes set swept_at = null');
  return liveWorker(2);
}

/** The chunks that a relay publishes, without a queue. */
const publish = () =>
  fixture.database.db.transaction().execute(async (trx) => {
    const chunks = await lockPublishableChunks(trx, 'parse');
    if (chunks.length > 0) await markPublished(trx, chunks);
    return chunks;
  });

const ofParse = <Queue>(queue: Queue) => new Map([['parse' as const, queue]]);

const importOf = (chunks: number) => storedImport(fixture, { csv: productCsv(chunks * 2), rowsMax: 2 });

const prioritiesOf = (chunks: Awaited<ReturnType<typeof publish>>, id: string) =>
  chunks.filter((chunk) => chunk.import_id === id).map((chunk) => chunk.priority);

async function finish(chunk: { id: number; publication: number }): Promise<void> {
  const { db } = fixture.database;
  const claimed = await claimChunk(db, chunk);
  if (!claimed) throw new Error('not claimed');
  await db.transaction().execute((trx) => completeChunk(trx, claimed, { parsed_rows: 2 }));
}

describe('the slots of a process', () => {
  it('give the newest slot of an import to one that waits for two looks without any', async () => {
    const { db } = fixture.database;
    await liveWorker(2);
    const large = await importOf(10);
    const published = await publish();
    for (const chunk of published.slice(0, 2)) await claimChunk(db, chunk);
    const slots = createSlots(db, { stage: 'parse', count: 2 });
    const ended: string[] = [];
    const work = (importId: string, name: string) =>
      slots.hold(importId, async (releasing) => {
        await once(releasing, 'abort');
        ended.push(name);
      });
    const [, newer] = [work(large.id, 'older'), work(large.id, 'newer')];
    await slots.look();
    await slots.look();
    const small = await importOf(1);
    const [chunk] = (await publish()).filter(({ import_id: id }) => id === small.id);
    if (!chunk) throw new Error('not published');
    await slots.look();
    expect(ended).toEqual([]);
    await slots.look();
    await newer;
    await claimChunk(db, chunk);
    void work(small.id, 'small');
    // Both have one slot now, so a third import waits for the end of a chunk.
    await importOf(1);
    await publish();
    await slots.look();
    await slots.look();
    expect(ended).toEqual(['newer']);
  });
});

describe('the relay', () => {
  it('publishes two chunks for each live slot, and the first chunk of another import at once', async () => {
    await liveWorker(2);
    await liveWorker(1);
    const huge = await importOf(100);
    expect(prioritiesOf(await publish(), huge.id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await publish()).toEqual([]);
    const small = await importOf(3);
    const other = await importOf(1);
    const second = await publish();
    expect([prioritiesOf(second, small.id), prioritiesOf(second, other.id)]).toEqual([[1], [1]]);
    expect(second).toHaveLength(2);
    expect(await publish()).toEqual([]);
  });

  it('gives free places to the import with the fewest published chunks', async () => {
    await liveWorker(2);
    const huge = await importOf(100);
    const first = await publish();
    const small = await importOf(3);
    await publish();
    for (const chunk of first.slice(0, 2)) await finish(chunk);
    const third = await publish();
    expect(third.map(({ import_id, priority }) => [import_id, priority])).toEqual([[huge.id, 1]]);
    for (const chunk of first.slice(2)) await finish(chunk);
    const fourth = await publish();
    expect(fourth.map(({ import_id, priority }) => [import_id, priority])).toEqual([
      [huge.id, 2],
      [small.id, 2],
    ]);
  });

  it('publishes more than 64 chunks of a stage if it has the slots', async () => {
    await liveWorker(40);
    await importOf(100);
    expect(await publish()).toHaveLength(80);
  });

  it('assumes a few slots if no worker is known or live', async () => {
    await importOf(20);
    const silent = await liveWorker(40);
    await fixture.database.pool.query(
      `update processes set seen_at = seen_at - interval '16 seconds' where id = $1`,
      [silent],
    );
    expect(await publish()).toHaveLength(8);
  });

  it('publishes nothing of a paused import', async () => {
    const { db } = fixture.database;
    const paused = await importOf(2);
    await pauseImport(db, paused.id);
    expect(await publish()).toEqual([]);
    expect((await resumeImport(db, paused.id)).ok).toBe(true);
    expect(await publish()).toHaveLength(2);
  });
});

describe.each(queueBackends())('a queue in %s', (backend) => {
  it('delivers the first chunk of a small import before the waiting ones of a large one', async () => {
    const redis = backend === 'redis' ? await startRedis() : undefined;
    const connection = chooseQueueConnection({ databaseUrl: fixture.databaseUrl, redisUrl: redis?.url });
    const queue = createQueue(connection, 'parse');
    await liveWorker(3);
    const huge = await importOf(100);
    expect(await relayOnce(fixture.database, ofParse(queue), 'parse')).toBe(6);
    const small = await importOf(1);
    expect(await relayOnce(fixture.database, ofParse(queue), 'parse')).toBe(1);
    const delivered: number[] = [];
    const note = async (job: { data: { chunkId: number } }) => void delivered.push(job.data.chunkId);
    const worker = createWorker(connection, 'parse', note, { concurrency: 1 });
    try {
      await until('all are delivered', () => delivered.length === 7);
    } finally {
      await worker.close();
      await queue.close();
      await redis?.stop();
    }
    const rows = await fixture.database.db
      .selectFrom('chunks')
      .select(['id', 'import_id'])
      .where('id', 'in', delivered)
      .execute();
    const owner = new Map(rows.map(({ id, import_id }) => [id, import_id]));
    const others = Array.from({ length: 5 }, () => huge.id);
    expect(delivered.map((id) => owner.get(id))).toEqual([huge.id, small.id, ...others]);
  });
});

describe.each(queueBackends())('the sweep, jobs in %s', (backend) => {
  it('takes back a job that waits for a clock that was set back', async () => {
    const redis = backend === 'redis' ? await startRedis() : undefined;
    const queue = createQueue(
      chooseQueueConnection({ databaseUrl: fixture.databaseUrl, redisUrl: redis?.url }),
      'parse',
    );
    await importOf(1);
    const [chunk] = await publish();
    if (!chunk) throw new Error('nothing is published');
    // The next attempt is due in a second, by a clock that was then set back by an hour.
    await queue.add('late', {}, { jobId: `${chunk.id}-${chunk.publication}`, delay: 3_601_000 });
    let nowMs = 0;
    const unheld = watchUnheldJobs(10_000, () => nowMs);
    const sweep = async () =>
      sweepOnce(fixture.database, ofParse(queue), { stage: 'parse', processId: await nextSweeper(), unheld });
    try {
      expect(await sweep()).toBe(0);
      nowMs += 9_999;
      expect(await sweep()).toBe(0);
      // A worker that holds the chunk may take as long as it needs.
      await withPinnedConnection(fixture.database, async ({ db }) => {
        const held = await claimChunk(db, chunk);
        nowMs += 60_000;
        expect(await sweep()).toBe(0);
        if (held) await recordFailedAttempt(db, held, 'broken');
      });
      expect(await sweep()).toBe(0);
      nowMs += 10_000;
      expect(await sweep()).toBe(1);
      expect((await publish()).map(({ publication }) => publication)).toEqual([2]);
    } finally {
      await queue.close();
      await redis?.stop();
    }
  });
});

describe('the sweep', () => {
  const answerMs = 100;
  const slow = (queue: ReturnType<typeof createQueue>) => ({
    async getJobState(id: string) {
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, answerMs);
      await promise;
      return queue.getJobState(id);
    },
  });

  /** A real queue without the published chunks. */
  async function withEmptyQueue(use: (queue: ReturnType<typeof createQueue>) => Promise<void>) {
    const queue = createQueue(chooseQueueConnection({ databaseUrl: fixture.databaseUrl }), 'parse');
    try {
      await queue.waitUntilReady();
      await use(queue);
    } finally {
      await queue.close();
    }
  }

  it('takes back chunks that a slow queue has lost', async () => {
    const processId = await liveWorker(32);
    await importOf(100);
    expect(await publish()).toHaveLength(64);
    await withEmptyQueue(async (queue) => {
      expect(
        await sweepOnce(fixture.database, ofParse(slow(queue)), {
          stage: 'parse',
          processId,
          unheld: watchUnheldJobs(10_000),
        }),
      ).toBe(64);
    });
    expect((await publish()).every(({ publication }) => publication === 2)).toBe(true);
  });

  it('begins only if it may find something, which a connection plans once', async () => {
    const processId = await nextSweeper();
    const unheld = watchUnheldJobs(10_000);
    const hasSwept = async () => {
      await sweepOnce(fixture.database, new Map(), { stage: 'parse', processId, unheld });
      const { rows } = await fixture.database.pool.query('select swept_at from processes where id = $1', [
        processId,
      ]);
      return rows[0]?.swept_at !== null;
    };
    expect(await hasSwept()).toBe(false);
    await importOf(1);
    expect(await hasSwept()).toBe(true);
    await withPinnedConnection(fixture.database, async ({ db, client }) => {
      for (let look = 0; look < 6; look += 1) expect(await hasSweepWork(db, 'parse')).toBe(true);
      const { rows } = await client.query(
        `select generic_plans > 0 as kept from pg_prepared_statements where statement like '%as possible'`,
      );
      expect(rows).toEqual([{ kept: true }]);
    });
  });

  it('is done by one process at a time, and removes killed processes', async () => {
    const [one, other, killed] = [await liveWorker(2), await liveWorker(2), await liveWorker(2)];
    await importOf(100);
    expect(await publish()).toHaveLength(12);
    await fixture.database.pool.query(
      `update processes set seen_at = seen_at - interval '61 seconds', backend_pid = null where id = $1`,
      [killed],
    );
    await withEmptyQueue(async (queue) => {
      const sweep = (processId: string) =>
        sweepOnce(fixture.database, ofParse(queue), {
          stage: 'parse',
          processId,
          unheld: watchUnheldJobs(10_000),
        });
      const taken = await Promise.all([sweep(one), sweep(other)]);
      expect(taken.sort((a, b) => a - b)).toEqual([0, 12]);
    });
    const { rows } = await fixture.database.pool.query('select id from processes order by id');
    expect(rows.map(({ id }) => id)).toEqual([one, other].sort());
  });
});
