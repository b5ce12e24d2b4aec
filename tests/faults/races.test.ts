import { tryLock } from '@draftshelf/core/connection/advisory-lock';
import { readClock } from '@draftshelf/core/connection/clock';
import {
  type Db,
  isDatabaseUnavailable,
  openDatabase,
  withPinnedConnection,
} from '@draftshelf/core/connection/database';
import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { findListings } from '@draftshelf/core/push/listings';
import { recordOutcomes } from '@draftshelf/core/push/outcomes';
import {
  beginSending,
  endSending,
  hasHeldPushChunk,
  renewSending,
  takeOverSending,
} from '@draftshelf/core/push/sending';
import { beginStoreSync, saveSyncPage } from '@draftshelf/core/push/store/store-syncs';
import { copyRows, type NewRow } from '@draftshelf/core/reading/copy-rows';
import { type ClaimedTask, failBackgroundTask, requestTask } from '@draftshelf/core/work/background-tasks';
import { takeBackChunk } from '@draftshelf/core/work/chunks';
import { ChunkFenced, claimChunk, lockHeldChunk } from '@draftshelf/core/work/claim-chunk';
import { completeChunk, ImportNotRunning } from '@draftshelf/core/work/complete-chunk';
import { failFinalize } from '@draftshelf/core/work/fail-import';
import { finalizeParse } from '@draftshelf/core/work/finalize/finalize-parse';
import { pauseImport, pushImport, resumeImport } from '@draftshelf/core/work/import-actions';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { freePort } from '@draftshelf/infra/free-port';
import { publishProduct } from '@draftshelf/publishing/publish-product';
import { recordError } from '@draftshelf/queues/chunk-outcome';
import { runChunk } from '@draftshelf/queues/run-chunk';
import { createLogger } from '@draftshelf/runtime/logger';
import type { CallPermit } from '@draftshelf/shopify/call-gate';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { testDraft } from '@draftshelf/shopify/testing/drafts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDatabases } from '../../apps/api/src/http/databases.ts';
import { startApi } from '../support/api.ts';
import { csvForm } from '../support/api-client.ts';
import {
  type Fixture,
  lockWaiters,
  openFixture,
  productCsv,
  storedImport,
  storedUnder,
  until,
} from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { claimKind, loseTasks } from '../support/tasks.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const logger = createLogger({ name: 'races', level: 'silent', pretty: false });

const chunksOf = (id: string): Promise<ChunkRecord[]> =>
  fixture.database.db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .orderBy('sequence')
    .execute();

async function firstChunk(id: string): Promise<ChunkRecord> {
  const [first] = await chunksOf(id);
  if (!first) throw new Error('The import has no chunk');
  return first;
}

async function claimed(chunk: ChunkRecord): Promise<ChunkRecord> {
  const held = await claimChunk(fixture.database.db, chunk);
  if (!held) throw new Error('The chunk could not be claimed');
  return held;
}

const backendOf = async (db: Db): Promise<number> => {
  const { pid } = await db
    .selectNoFrom((eb) => eb.fn<number>('pg_backend_pid').as('pid'))
    .executeTakeFirstOrThrow();
  return pid;
};

const endBackend = (pid: number) => fixture.database.pool.query('select pg_terminate_backend($1)', [pid]);

describe('the database goes down', () => {
  it('when a job arrives: BullMQ gets the job back, and the worker does not keep it', async () => {
    const away = openDatabase({
      connectionString: `postgresql://nobody@127.0.0.1:${await freePort()}/none`,
      applicationName: 'away',
    });
    const step = { stage: 'parse' as const, perform: async () => {}, finalize: async () => true, tasks: {} };
    const signal = new AbortController().signal;
    const error = await runChunk({ chunkId: 1, publication: 1 }, step, {
      database: away,
      logger,
      tallies: createTallies(),
      signal,
    }).catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error)).toBe(true);
    await away.close();
  });

  it('between two statements of a transaction: the next one throws, the process continues', async () => {
    const database = openDatabase({
      connectionString: fixture.databaseUrl,
      applicationName: 'draftshelf-test',
    });
    const ended = Promise.withResolvers<void>();
    // Emitted after the error, which would end this process if it had no listener.
    database.pool.on('connect', (client) => client.once('end', ended.resolve));
    const gone = await database.db
      .transaction()
      .execute(async (trx) => {
        await endBackend(await backendOf(trx));
        await ended.promise;
        await trx.selectFrom('imports').select('id').execute();
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(gone)).toBe(true);
    await database.close();
  });

  it.runIf(isLong)('in the middle of a COPY: it throws, and nothing is stored', async () => {
    const record = await storedImport(fixture, { csv: productCsv(3) });
    const row: Omit<NewRow, 'row'> = {
      ...{ line: 1, byteFrom: 1, product: 1, class: 'valid', enrichable: false, ignored: null },
      ...{ values: { title: 'x'.repeat(1000), price: '1' }, price: '1', gtin: null },
      ...{ search: 'x', options: null, isFirst: true },
      ...{ groupKey: null, issues: 0, cells: ['x'.repeat(1000)], cellsAsRead: null, item: null },
    };
    function* endless(): Generator<NewRow> {
      for (let number = 1; number < 200_000; number += 1) yield { ...row, row: number };
    }
    const copied = withPinnedConnection(fixture.database, async ({ db, client }) => {
      const pid = await backendOf(db);
      await db.transaction().execute(async () => {
        const copying = copyRows(client, { import_id: record.id, run: 9 }, endless());
        copying.catch(() => {});
        await until('the COPY runs', async () => {
          const { rows } = await fixture.database.pool.query(
            `select 1 from pg_stat_progress_copy where pid = $1 and tuples_processed > 100`,
            [pid],
          );
          return rows.length > 0;
        });
        await endBackend(pid);
        await copying;
      });
    }).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(await copied)).toBe(true);
    const { rows } = await fixture.database.pool.query('select count(*)::int as n from rows where run = 9');
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('before the answer to the commit of an upload: the import keeps its file', async () => {
    const proxy = await startCuttingProxy(fixture.databaseUrl);
    // Only the api's own pools go through the proxy: a commit of the queue's must not be the one that is lost.
    const databases = openApiDatabases(proxy.url);
    const api = await startApi(fixture, { set: databases });
    try {
      const before = new Set((await importsNow()).map(({ id }) => id));
      proxy.loseAnswersTo('commit', 1);
      expect((await api.upload(csvForm(productCsv(3)))).status).toBeGreaterThanOrEqual(500);
      expect(proxy.lost()).toBe(1);
      const added = (await importsNow()).filter(({ id }) => !before.has(id));
      expect(added.length).toBe(1);
      expect(await storedUnder(fixture.storage, added[0]?.object_key ?? 'none')).toHaveLength(1);
    } finally {
      await api.close();
      await Promise.all(Object.values(databases).map((pool) => pool.close()));
      await proxy.close();
    }
  });
});

const importsNow = () => fixture.database.db.selectFrom('imports').select(['id', 'object_key']).execute();

describe('a frozen process', () => {
  it.runIf(isLong)('in the middle of a relay does not keep the lock', async () => {
    const thawed = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<boolean>();
    const frozen = fixture.database.db.transaction().execute(async (trx) => {
      taken.resolve(await tryLock(trx, 'relay of a test'));
      await thawed.promise;
      await trx.selectFrom('imports').select('id').execute();
    });
    const ended = frozen.then(
      () => 'committed',
      () => 'ended',
    );
    expect(await taken.promise).toBe(true);
    await until('another process gets the lock', () =>
      fixture.database.db.transaction().execute((trx) => tryLock(trx, 'relay of a test')),
    );
    thawed.resolve();
    expect(await ended).toBe('ended');
  });

  it('whose job the queue has lost is ended by the claim of the next publication', async () => {
    const record = await storedImport(fixture, { csv: productCsv(3) });
    const pending = await firstChunk(record.id);
    const thawed = Promise.withResolvers<void>();
    const has = Promise.withResolvers<void>();
    const frozen = withPinnedConnection(fixture.database, async ({ db }) => {
      await claimChunk(db, pending);
      has.resolve();
      await thawed.promise;
      await db.selectFrom('imports').select('id').execute();
    }).then(
      () => 'went on',
      () => 'ended',
    );
    await has.promise;
    expect(await takeBackChunk(fixture.database.db, pending)).toBe(true);
    const next = await withPinnedConnection(fixture.database, ({ db }) =>
      claimChunk(db, { id: pending.id, publication: pending.publication + 1 }),
    );
    expect(next).toBeDefined();
    thawed.resolve();
    expect(await frozen).toBe('ended');
  });
});

describe('two at once', () => {
  const noClaims = { keys: [], since: null };

  it('two workers that decide one product record one outcome, counted once', async () => {
    const record = await storedImport(fixture, { csv: productCsv(1) });
    const decide = () =>
      fixture.database.db.transaction().execute((trx) =>
        recordOutcomes(trx, { importId: record.id, run: 1, rowsRun: 1 }, [
          {
            product: 1,
            ourId: 'one',
            outcome: 'created',
            code: null,
            message: null,
            storeProductId: null,
            basedOn: new Date(),
          },
        ]),
      );
    const results = await Promise.all([decide(), decide(), decide()]);
    expect(await findImport(fixture.database.db, record.id)).toMatchObject({ created: 1, push_done: 1 });
    expect(results.filter((recorded) => recorded.size > 0).length).toBe(1);
  });

  it('a product in sending is not taken over from a live worker, even if its chunk was dropped', async () => {
    const record = await storedImport(fixture, {
      csv: productCsv(1),
      set: { status: 'uploading', push_run: 1 },
    });
    const pending = await firstChunk(record.id);
    const listing = { shop: 'shop.example', ourId: `dropped-${record.id}` };
    const write = { kind: 'create', source: null, before: null, version: null, claims: noClaims } as const;
    const payload = { payload: {}, payloadHash: 'h', ...write };
    const other = { leaseMs: 1_000 };
    const abandoned = { ...listing, ourId: `abandoned-${record.id}` };
    let takenOver: boolean | undefined;
    let renewsLater = async (): Promise<boolean> => true;
    await withPinnedConnection(fixture.database, async ({ db }) => {
      const chunk = await claimChunk(db, pending);
      if (!chunk) throw new Error('The chunk cannot be claimed');
      const before = { chunk: { ...chunk, claims: chunk.claims - 1 } };
      expect(await beginSending(db, { leaseMs: 0 }, { ...abandoned, ...payload })).toMatchObject({
        is: 'begun',
      });
      // A claim that the chunk has lost takes over nothing, even from a dead sender.
      expect(await takeOverSending(db, before, abandoned)).toBe(false);
      expect(await takeOverSending(db, { chunk }, abandoned)).toBe(true);
      expect(await beginSending(db, before, { ...listing, ...payload })).toMatchObject({ is: 'stopped' });
      expect(await beginSending(db, { chunk }, { ...listing, ...payload })).toMatchObject({ is: 'begun' });
      expect(await beginSending(db, { leaseMs: 1000 }, { ...listing, ...payload })).toMatchObject({
        is: 'elsewhere',
      });
      expect(await beginSending(db, { chunk }, { ...listing, ...payload })).toMatchObject({
        is: 'elsewhere',
      });
      const found = (await findListings(db, listing.shop, [listing.ourId])).get(listing.ourId);
      const again = { ...listing, ...payload, version: found?.version ?? null };
      expect(await beginSending(db, { chunk }, again)).toMatchObject({ is: 'begun' });
      expect(await renewSending(db, before, listing)).toBe(false);
      expect(await renewSending(db, { chunk }, { ...listing, ourId: 'another' })).toBe(false);
      await db.updateTable('chunks').set({ state: 'dropped' }).where('id', '=', pending.id).execute();
      // A call between two of a product: what has begun is completed.
      expect(await renewSending(db, { chunk }, listing)).toBe(true);
      renewsLater = () => renewSending(fixture.database.db, { chunk }, listing);
      expect(await beginSending(db, { chunk }, { ...listing, ...payload })).toMatchObject({ is: 'stopped' });
      takenOver = await takeOverSending(fixture.database.db, other, listing);
      throw new Error('the worker finds that its import is cancelled, and its connection is closed');
    }).catch(() => {});
    expect(takenOver).toBe(false);
    await until('its sender has lost it', async () => !(await renewsLater()));
    await until('it may be taken over', () => takeOverSending(fixture.database.db, other, listing));
  });

  it('a chunk that was taken back from a worker, and then dropped, is held until its work has ended', async () => {
    const { id } = await storedImport(fixture, {
      csv: productCsv(1),
      set: { status: 'uploading', push_run: 1 },
    });
    const pending = await firstChunk(id);
    const { database } = fixture;
    await database.pool.query(`update chunks set stage = 'push', state = 'published' where id = $1`, [
      pending.id,
    ]);
    await withPinnedConnection(database, async ({ db }) => {
      const chunk = await claimChunk(db, pending);
      if (!chunk) throw new Error('The chunk cannot be claimed');
      await takeBackChunk(db, pending);
      expect(await hasHeldPushChunk(db, id)).toBe(true);
      const deps = { database, logger, tallies: createTallies(), handlers: {} };
      await recordError(new ImportNotRunning(id, 'push'), chunk, {
        ...deps,
        signal: new AbortController().signal,
      });
      // The import no longer runs, so the sweep drops the chunk.
      await database.pool.query(`update chunks set state = 'dropped' where id = $1`, [pending.id]);
      expect(await hasHeldPushChunk(db, id)).toBe(false);
    });
  });

  it('one of two senders of new products claims a key, and the other one keeps none', async () => {
    const { db, pool } = fixture.database;
    const shop = 'claims.example';
    const begin = async (ourId: string, skus: string[], since: Date, leaseMs = 60_000) => {
      const version = (await findListings(db, shop, [ourId])).get(ourId)?.version ?? null;
      const claims = { keys: skus.map((value) => ({ kind: 'sku', value }) as const), since };
      const write = { kind: 'create', source: null, before: null, version, claims } as const;
      const sent = { shop, ourId, payload: {}, payloadHash: 'h', ...write };
      return (await beginSending(db, { leaseMs }, sent)).is;
    };
    const before = await readClock(db);
    // Its milliseconds are cut, so a key that was ended in the same one would count as ended later.
    const now = async () => new Date((await readClock(db)).getTime() + 1);
    const both = await Promise.all([begin('one', ['a', 'b'], before), begin('two', ['b', 'c'], before)]);
    expect(both.toSorted()).toEqual(['begun', 'claimed']);
    const [first, second, free] = both[0] === 'begun' ? ['one', 'two', 'c'] : ['two', 'one', 'a'];
    expect((await findListings(db, shop, [second])).get(second)?.sending).toBeNull();
    expect(await begin('third', [free], await now())).toBe('begun');
    expect(await begin(second, ['b'], await now())).toBe('claimed');
    await endSending(db, { leaseMs: 0 }, { shop, ourId: first });
    // What it has sent was not looked for since.
    expect(await begin(second, ['b'], before)).toBe('claimed');
    expect(await begin(second, ['b'], await now(), 0)).toBe('begun');
    // A dead sender may have sent it, and the store may not have it yet.
    expect(await begin('fourth', ['b'], await now())).toBe('claimed');
    const claimedAt = async () =>
      db.selectFrom('key_claims').select('claimed_at').where('value', '=', 'b').executeTakeFirst();
    const claimedBefore = await claimedAt();
    // Others wait for the next call of a sender that still has the product.
    expect(await renewSending(db, { leaseMs: 0 }, { shop, ourId: second })).toBe(true);
    expect((await claimedAt())?.claimed_at.getTime()).toBeGreaterThan(
      claimedBefore?.claimed_at.getTime() ?? 0,
    );
    await pool.query(`update key_claims set claimed_at = claimed_at - interval '10 s' where shop = $1`, [
      shop,
    ]);
    expect(await begin('fourth', ['b'], await now())).toBe('begun');
    await endSending(db, { leaseMs: 0 }, { shop, ourId: 'fourth' });
    // A clock that was set back holds no key.
    await pool.query(`update key_claims set ended_at = ended_at + interval '1 hour' where shop = $1`, [shop]);
    expect(await begin('fifth', ['b'], before)).toBe('begun');
  });

  it('a claim that was lost does not end what the next claim is sending', async () => {
    const record = await storedImport(fixture, {
      csv: productCsv(1),
      set: { status: 'uploading', push_run: 1 },
    });
    const pending = await firstChunk(record.id);
    const listing = { shop: 'shop.example', ourId: `late-${record.id}` };
    const write = { kind: 'create', source: null, before: null, version: null, claims: noClaims } as const;
    const payload = { payload: {}, payloadHash: 'h', ...write };
    const { db } = fixture.database;
    const isSending = async () =>
      (await findListings(db, listing.shop, [listing.ourId])).get(listing.ourId)?.sending !== null;
    const late = await withPinnedConnection(fixture.database, (first) => claimChunk(first.db, pending));
    const next = await withPinnedConnection(fixture.database, (second) => claimChunk(second.db, pending));
    if (!late || !next) throw new Error('The chunk cannot be claimed');
    expect(await beginSending(db, { chunk: next }, { ...listing, ...payload })).toMatchObject({
      is: 'begun',
    });
    await endSending(db, { chunk: late }, listing);
    await endSending(db, { leaseMs: 1000 }, listing);
    expect(await isSending()).toBe(true);
    await endSending(db, { chunk: next }, listing);
    expect(await isSending()).toBe(false);
  });

  it('a write that a frozen worker may still send is looked for again, if the next one dies before its own', async () => {
    const { db } = fixture.database;
    const listing = { shop: 'frozen.example', ourId: 'frozen' };
    const write = { kind: 'create', source: null, before: null, version: null, claims: noClaims } as const;
    const earlier = { payload: testDraft(), payloadHash: 'h', ...write };
    await beginSending(db, { leaseMs: 0 }, { ...listing, ...earlier });
    const asked: string[] = [];
    const client = {
      store: { url: 'https://frozen.example', apiVersion: '2026-07' },
      now: Date.now,
      async request(document: string) {
        asked.push(document);
        return { productByIdentifier: null };
      },
    } as unknown as ShopifyClient;
    const turn: CallPermit = {
      reserve: () => Promise.reject(new Error('the worker dies')),
      ...{ unused: async () => {}, answered: () => {}, end: () => {} },
    };
    const facts = { match: null, found: undefined, choices: new Map(), sendNonOverlapping: false };
    const product = { ...listing, ...facts, source: null, idInStore: undefined };
    const place = { locationId: null, collections: [], canRename: true, currency: 'CAD' };
    const publishing = publishProduct(
      {
        ...{ db, sender: { leaseMs: 60_000 }, session: { client, shop: listing.shop, ...place } },
        ...{ matchedAt: null, enter: async () => turn, record: async () => {} },
        ...{ read: async () => null, readStamp: async () => null, openPhoto: async () => null },
      },
      { ...product, built: { ok: true, product: testDraft() } },
    );
    await expect(publishing).rejects.toThrow('the worker dies');
    expect(asked.length).toBe(1);
    const found = (await findListings(db, listing.shop, [listing.ourId])).get(listing.ourId);
    expect(found?.sending).toEqual(earlier.payload);
  });

  it('a sync of the store that was taken over stores nothing more', async () => {
    const { db, pool } = fixture.database;
    const shop = 'synced.example';
    await requestTask(db, 'sync-store', shop);
    const silent = await claimKind(db, 'sync-store');
    expect(await claimKind(db, 'sync-store')).toBeUndefined();
    await loseTasks({ pool });
    const next = await claimKind(db, 'sync-store');
    if (!silent || !next) throw new Error('The sync was not claimed');
    const page = (cursor: string | null) => ({ products: [], next: cursor, total: 10 });
    const sync = await beginStoreSync(db, shop);
    const storePage = (task: ClaimedTask, cursor: string | null) =>
      db.transaction().execute(async (trx) => {
        await lockHeldChunk(trx, task);
        return saveSyncPage(trx, sync, page(cursor));
      });
    await expect(storePage(silent, null)).rejects.toThrow(ChunkFenced);
    expect(await failBackgroundTask(db, silent, 'too late')).toBe(false);
    expect(await storePage(next, 'after')).toMatchObject({ cursor: 'after', ended_at: null, error: null });
    expect(await storePage(next, null)).toMatchObject({ ended_at: expect.any(Date) });
  });

  it('a finalize and the last reopened chunk do not deadlock', async () => {
    const record = await storedImport(fixture, { csv: productCsv(2) });
    const work = await claimed(await firstChunk(record.id));
    const { db } = fixture.database;
    const finalize = await db
      .insertInto('chunks')
      .values({ import_id: record.id, stage: 'parse', run: 1, kind: 'finalize', sequence: -1 })
      .returningAll()
      .executeTakeFirstOrThrow();
    const claimedFinalize = await claimed(finalize);
    const free = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = db.transaction().execute(async (trx) => {
      await trx.selectFrom('imports').select('id').where('id', '=', record.id).forUpdate().execute();
      locked.resolve();
      await free.promise;
    });
    await locked.promise;
    const finishing = db.transaction().execute((trx) => completeChunk(trx, work, { parsed_rows: 2 }));
    await until('the work chunk waits', async () => (await lockWaiters(fixture)) >= 1);
    const finalizing = finalizeParse(db, claimedFinalize).catch((error: Error) => error.name);
    await until('the finalize waits', async () => (await lockWaiters(fixture)) >= 2);
    free.resolve();
    await holder;
    await finishing;
    expect(await finalizing).toBe('ChunkFenced');
    expect((await chunksOf(record.id)).find((chunk) => chunk.kind === 'finalize')?.state).toBe('pending');
  });

  it('a finalize that dies while its import is paused is not lost', async () => {
    const record = await storedImport(fixture, { csv: productCsv(2) });
    const { db } = fixture.database;
    await db.transaction().execute(async (trx) => {
      await completeChunk(trx, await claimed(await firstChunk(record.id)), { parsed_rows: 2 });
    });
    const finalize = (await chunksOf(record.id)).find((chunk) => chunk.kind === 'finalize');
    if (!finalize) throw new Error('no finalize');
    const held = await claimed(finalize);
    await pauseImport(db, record.id);
    const dying = db.transaction().execute((trx) => failFinalize(trx, held, 'out of attempts'));
    await expect(dying).rejects.toThrow(ImportNotRunning);
    await resumeImport(db, record.id);
    expect(await findImport(db, record.id)).toMatchObject({ status: 'processing' });
    // A part ends after 300 ms, which a busy machine may need for less than all of it.
    while (!(await finalizeParse(db, held))) expect(held.kind).toBe('finalize');
    expect(await findImport(db, record.id)).toMatchObject({ status: 'processed' });
  });

  it('of 20 concurrent pushes one begins', async () => {
    const record = await storedImport(fixture, {
      csv: productCsv(2),
      set: { status: 'queued', open_chunks: 0 },
    });
    const { db } = fixture.database;
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        db.transaction().execute((trx) => pushImport(trx, record.id, 25, { supplier: null })),
      ),
    );
    expect(results.filter((moved) => moved.ok).length).toBe(1);
  });
});
