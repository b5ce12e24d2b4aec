import { type Db, type OpenDatabase, withPinnedConnection } from '@draftshelf/core/connection/database';
import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { findImport, moveStatus } from '@draftshelf/core/imports/imports';
import { lockClaims } from '@draftshelf/core/push/sending';
import { createStoreBudget, reservePoints } from '@draftshelf/core/push/store/store-budget';
import { takeBackChunk } from '@draftshelf/core/work/chunks';
import { claimChunk, deferChunk, markDone, storeProductProgress } from '@draftshelf/core/work/claim-chunk';
import { completeChunk } from '@draftshelf/core/work/complete-chunk';
import { pushImport, retryImport } from '@draftshelf/core/work/import-actions';
import { describe, expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();

const chunksOf = (id: string): Promise<ChunkRecord[]> =>
  fixture.database.db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .orderBy('sequence')
    .execute();

const only = <T>(list: readonly T[]): T => {
  const [first, ...others] = list;
  if (first === undefined || others.length > 0) throw new Error(`Expected one, got ${list.length}`);
  return first;
};

/** Publishes and claims all chunks of an import, as a relay and workers do. */
async function claimAll(id: string): Promise<ChunkRecord[]> {
  const { db } = fixture.database;
  const claimed: ChunkRecord[] = [];
  for (const chunk of await chunksOf(id)) {
    const mine = await claimChunk(db, chunk);
    if (mine) claimed.push(mine);
  }
  return claimed;
}

/** A pool whose connections wait for `before`; `nth` counts the statements of a connection from 1. */
function slowPool(before: (nth: number) => Promise<void>): Pick<OpenDatabase, 'pool'> {
  const connect = async () => {
    const client = await fixture.database.pool.connect();
    let nth = 0;
    const query = async (...statement: unknown[]) => {
      nth += 1;
      await before(nth);
      return Reflect.apply(client.query, client, statement);
    };
    return new Proxy(client, {
      get: (target, key) => {
        if (key === 'query') return query;
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  return { pool: { connect } as unknown as OpenDatabase['pool'] };
}

describe('claims', () => {
  it('that a process has of one chunk, an earlier and the current one, are told apart when it records', async () => {
    const record = await storedImport(fixture, { csv: productCsv(3) });
    const pending = only(await chunksOf(record.id));
    const { db } = fixture.database;
    await db.transaction().execute(async (trx) => {
      const earlier = await claimChunk(trx, pending);
      const again = await claimChunk(trx, pending);
      if (!earlier || !again) throw new Error('A claim was refused');
      expect(again.claims).toBe(earlier.claims + 1);
      expect(await lockClaims(trx, [earlier, again])).toEqual(new Set([again]));
      expect(await lockClaims(trx, [earlier])).toEqual(new Set());
    });
  });

  it('end the backend that held the chunk, so that a frozen process keeps no lock and commits nothing', async () => {
    const record = await storedImport(fixture, { csv: productCsv(3) });
    const pending = only(await chunksOf(record.id));
    const frozen = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const zombie = withPinnedConnection(fixture.database, async ({ db }) => {
      const mine = await claimChunk(db, pending);
      if (!mine) throw new Error('not claimed');
      await db.transaction().execute(async (trx) => {
        await markDone(trx, mine);
        locked.resolve();
        await frozen.promise; // stopped with the row locked, as by SIGSTOP
      });
    });
    const ended = zombie.then(
      () => 'committed',
      () => 'ended',
    );
    await locked.promise;
    const successor = await withPinnedConnection(fixture.database, ({ db }) => claimChunk(db, pending));
    expect(successor).toMatchObject({ id: pending.id, claims: 2, state: 'published' });
    frozen.resolve();
    expect(await ended).toBe('ended');
    expect(only(await chunksOf(record.id)).state).toBe('published');
  });

  it('that are concurrent end the previous holder, but not the one that has just won', async () => {
    const record = await storedImport(fixture, { csv: productCsv(3) });
    const pending = only(await chunksOf(record.id));
    const between = Promise.withResolvers<void>();
    const winnerHasClaimed = Promise.withResolvers<void>();
    // It has read the previous holder, and has not ended it yet.
    const slow = slowPool(async (nth) => {
      if (nth !== 2) return;
      between.resolve();
      await winnerHasClaimed.promise;
    });
    const loser = withPinnedConnection(slow, ({ db }) => claimChunk(db, pending));
    await between.promise;
    await withPinnedConnection(fixture.database, async ({ db }) => {
      const won = await claimChunk(db, pending);
      expect(won).toMatchObject({ id: pending.id, claims: 1 });
      winnerHasClaimed.resolve();
      expect(await loser).toBeUndefined();
      await markDone(db, won ?? { ...pending });
    });
    expect(only(await chunksOf(record.id)).state).toBe('done');
  });

  it('wait longer each time, and for the shortest time again after progress', async () => {
    const { db } = fixture.database;
    const { id } = await storedImport(fixture, { csv: productCsv(3) });
    const seconds: number[] = [];
    for (const done of [0, 0, 0, 2, 2]) {
      const claimed = only(await claimAll(id));
      await storeProductProgress(db, claimed, done);
      await deferChunk(db, claimed, { cause: 'The response was lost.' });
      const { not_before, deferred_at } = only(await chunksOf(id));
      seconds.push(Math.round((Number(not_before) - Number(deferred_at)) / 1000));
    }
    expect(seconds).toEqual([1, 2, 4, 1, 2]);
    expect(only(await chunksOf(id))).toMatchObject({ attempts: 0, claims: 0 });
  });

  it('of an old publication find no chunk', async () => {
    const record = await storedImport(fixture, { csv: productCsv(3) });
    const pending = only(await chunksOf(record.id));
    const claimed = await claimChunk(fixture.database.db, pending);
    expect(await takeBackChunk(fixture.database.db, pending)).toBe(true);
    expect(await claimChunk(fixture.database.db, pending)).toBeUndefined();
    await expect(markDone(fixture.database.db, claimed ?? { ...pending })).rejects.toThrow(
      /is no longer current/,
    );
  });
});

describe('completing a chunk', () => {
  it('creates exactly one finalize, also when the last chunks race', async () => {
    for (let round = 0; round < 15; round += 1) {
      const record = await storedImport(fixture, { csv: productCsv(8), rowsMax: 2 });
      const claimed = await claimAll(record.id);
      expect(claimed.length).toBe(4);
      await Promise.all(
        claimed.map((chunk) =>
          fixture.database.db
            .transaction()
            .execute((trx) => completeChunk(trx, chunk, { parsed_rows: 2, processed_products: 2 })),
        ),
      );
      const finalizes = (await chunksOf(record.id)).filter((chunk) => chunk.kind === 'finalize');
      expect(finalizes.map((chunk) => chunk.state)).toEqual(['pending']);
      expect(await findImport(fixture.database.db, record.id)).toMatchObject({
        open_chunks: 0,
        parsed_rows: 8,
      });
      await moveStatus(fixture.database.db, record.id, { from: ['processing'], to: 'cancelled' });
    }
  });

  it('counts a chunk once, even if it is delivered twice', async () => {
    const record = await storedImport(fixture, { csv: productCsv(4), rowsMax: 2 });
    const [first] = await claimAll(record.id);
    if (!first) throw new Error('no chunk');
    const finish = () =>
      fixture.database.db.transaction().execute((trx) => completeChunk(trx, first, { parsed_rows: 2 }));
    await finish();
    await expect(finish()).rejects.toThrow(/is no longer current/);
    expect(await findImport(fixture.database.db, record.id)).toMatchObject({
      open_chunks: 1,
      parsed_rows: 2,
    });
    await moveStatus(fixture.database.db, record.id, { from: ['processing'], to: 'cancelled' });
  });
});

describe('a push', () => {
  const pushed = async (id: string) =>
    (await chunksOf(id))
      .filter((chunk) => chunk.stage === 'push')
      .map(({ run, sequence, first_product, products }) => [run, sequence, first_product, products]);
  const inTransaction = <T>(work: (db: Db) => Promise<T>) => fixture.database.db.transaction().execute(work);

  it('has short chunks even with a large Batch Size, so that other imports do not wait long', async () => {
    const set = { status: 'queued', open_chunks: 0, product_numbers: 60, total_products: 60 } as const;
    const large = await storedImport(fixture, { csv: productCsv(2), set });
    expect(await inTransaction((trx) => pushImport(trx, large.id, 100, { supplier: null }))).toMatchObject({
      import: { status: 'uploading', open_chunks: 3, push_total: 60 },
    });
    expect(await pushed(large.id)).toEqual([
      [1, 0, 1, 25],
      [1, 1, 26, 25],
      [1, 2, 51, 10],
    ]);
    const small = await storedImport(fixture, { csv: productCsv(2), set });
    await inTransaction((trx) => pushImport(trx, small.id, 10, { supplier: null }));
    expect((await pushed(small.id)).length).toBe(6);
  });

  it('that is retried has chunks only for failed products', async () => {
    const { db, pool } = fixture.database;
    const { id } = await storedImport(fixture, {
      csv: productCsv(2),
      set: { status: 'completed', stage: 'push', push_run: 1, open_chunks: 0, product_numbers: 60 },
    });
    await pool.query(
      `insert into outcomes (import_id, rows_run, product, run, our_id, outcome)
       select $1, 1, i, 1, i::text, case when i in (30, 31, 60) then 'failed' else 'created' end from generate_series(1, 60) i`,
      [id],
    );
    expect(await inTransaction((trx) => retryImport(trx, id, 100))).toMatchObject({
      import: { status: 'uploading', open_chunks: 2, push_total: 3 },
    });
    expect(await pushed(id)).toEqual([
      [2, 0, 26, 25],
      [2, 1, 51, 10],
    ]);
    await moveStatus(db, id, { from: ['uploading'], to: 'completed' });
    await pool.query(`update outcomes set outcome = 'created' where import_id = $1`, [id]);
    await pool.query('delete from chunks where import_id = $1', [id]);
    expect(await inTransaction((trx) => retryImport(trx, id, 100))).toMatchObject({ ok: false });
    expect(await pushed(id)).toEqual([]);
  });
});

describe('a status', () => {
  it('moves only from allowed statuses, and a second attempt is refused', async () => {
    const { db } = fixture.database;
    const record = await storedImport(fixture, {
      csv: productCsv(2),
      set: { status: 'queued', open_chunks: 0 },
    });
    const both = await Promise.all([
      db.transaction().execute((trx) => pushImport(trx, record.id, 25, { supplier: null })),
      db.transaction().execute((trx) => pushImport(trx, record.id, 25, { supplier: null })),
    ]);
    expect(both.map((result) => result.ok).sort()).toEqual([false, true]);
    const pushChunks = (await chunksOf(record.id)).filter((chunk) => chunk.stage === 'push');
    expect(pushChunks.length).toBe(1);
    expect(await findImport(db, record.id)).toMatchObject({
      status: 'uploading',
      push_run: 1,
      open_chunks: 1,
    });
  });
});

describe('the store budget', () => {
  it('never grants more than it has, also to concurrent callers', async () => {
    const ask = () => reservePoints(fixture.database.db, 'shop.example', { points: 100, keep: 50 });
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    const flowedIn = ((performance.now() - begun) / 1000) * 100;
    const granted = answers.filter(({ reservation }) => reservation !== null).length;
    // 2,000 points less 50 reserved for people, plus 100 a second meanwhile: commits may be slow.
    expect(granted).toBeGreaterThanOrEqual(19);
    expect(granted).toBeLessThanOrEqual((2000 - 50 + flowedIn) / 100);
    for (const { reservation, waitMs } of answers)
      if (reservation === null) expect(waitMs).toBeLessThanOrEqual(1001);
  });

  it('grants the requests that wait together in order, as many as there are points for', async () => {
    const { db } = fixture.database;
    const ask = (points: number) => reservePoints(db, 'together.example', { points, keep: 0 });
    const granted = [await ask(900), await ask(900), await ask(900)];
    expect(granted.map(({ reservation }) => reservation)).toEqual([
      { points: 900, admitted: 900 },
      { points: 900, admitted: 1800 },
      null,
    ]);
    const budget = createStoreBudget(db, 'https://in-order.example', 0);
    const aborted = new AbortController();
    const order: number[] = [];
    const asked = [1500, 1000, 400].map((points) =>
      budget.reserve(points, points === 1000 ? aborted.signal : undefined).then(() => order.push(points)),
    );
    aborted.abort(new Error('paused'));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(order).toEqual([1500, 400]);
  });

  it('follows the store’s report, less what was granted after the request with the report', async () => {
    const { db } = fixture.database;
    const budget = createStoreBudget(db, 'https://budget.example', 0);
    const now = () =>
      db
        .selectFrom('store_budgets')
        .select(['available', 'maximum', 'restore_rate'])
        .where('shop', '=', 'budget.example')
        .executeTakeFirstOrThrow();
    const reportOf = (currentlyAvailable: number) => ({
      currentlyAvailable,
      maximumAvailable: 4000,
      restoreRate: 200,
    });
    const first = await budget.reserve(10);
    const second = await budget.reserve(20);
    await budget.report(reportOf(3000), second); // the first has no answer yet, so the store may not have counted it
    expect(await now()).toEqual({ available: 2990, maximum: 4000, restore_rate: 200 });
    const fourth = await budget.reserve(10);
    await budget.report(reportOf(2020), first); // sent before the store received the second and the fourth
    expect(await now()).toMatchObject({ available: 1990 });
    // Another process may have been granted points that the store has not counted: a higher report counts a little.
    await budget.report(reportOf(2990), fourth);
    const { available } = await now();
    expect(available).toBeGreaterThanOrEqual(2090);
    expect(available).toBeLessThan(2500);
    const third = await budget.reserve(40);
    const afterThird = await now();
    expect(afterThird.available).toBeLessThanOrEqual(4000 - 40);
    await budget.report(null, third); // no answer: the points count as used
    expect(await now()).toEqual(afterThird);
    await expect(budget.reserve(4001)).rejects.toThrow("the store's budget holds only 4000");
  });
});
