import { randomUUID } from 'node:crypto';
import { countLoginFailures, insertLoginFailure } from '@draftshelf/core/access/sessions';
import { admitCalls } from '@draftshelf/core/enrich/admit-calls';
import { insertAiCall } from '@draftshelf/core/enrich/ai/ai-calls';
import {
  changeAiService,
  lockAiService,
  pauseAiService,
  readAiPause,
  readAiUseToday,
} from '@draftshelf/core/enrich/ai/service';
import { queueLookups, requeueLookup } from '@draftshelf/core/enrich/lookups';
import { registerSources } from '@draftshelf/core/enrich/sources';
import { moveStatus } from '@draftshelf/core/imports/imports';
import { listProcesses } from '@draftshelf/core/operate/system';
import { beginSending, takeOverSending } from '@draftshelf/core/push/sending';
import { claimStampRead } from '@draftshelf/core/push/store/stamp-reads';
import { reservePoints } from '@draftshelf/core/push/store/store-budget';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import { lockPublishableChunks, markPublished } from '@draftshelf/core/work/chunks';
import { claimChunk, deferChunk } from '@draftshelf/core/work/claim-chunk';
import { pauseForStore, resumeDueImports } from '@draftshelf/core/work/import-actions';
import { beginSweep, recordHeartbeat, removeSilentProcesses } from '@draftshelf/core/work/processes';
import { backgroundKinds } from '@draftshelf/domain/work/task-catalog';
import { afterEach, describe, expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { claimKind } from '../../support/tasks.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();
afterEach(() =>
  fixture.database.pool.query('truncate imports, processes, store_budgets, store_syncs cascade'),
);

/** Sets the clock of Postgres back by an hour, as far as these times can tell: they are now in the future. */
const setBack = (table: string, ...columns: string[]) =>
  fixture.database.pool.query(
    `update ${table} set ${columns.map((one) => `${one} = ${one} + interval '1 hour'`).join(', ')}`,
  );

const liveWorker = async () => {
  const id = randomUUID();
  const worker = { kind: 'parse-worker', version: '0', host: 'test', pid: 1, slots: 2 } as const;
  await recordHeartbeat(fixture.database.db, { id, ...worker });
  return id;
};

/** What a relay publishes of the stage, without a queue. */
const publish = () =>
  fixture.database.db.transaction().execute(async (trx) => {
    const chunks = await lockPublishableChunks(trx, 'parse');
    if (chunks.length > 0) await markPublished(trx, chunks);
    return chunks;
  });

const pausedImport = async (waitMs: number) => {
  const { db } = fixture.database;
  const record = await storedImport(fixture, { csv: productCsv(1) });
  const [published] = await publish();
  const chunk = published && (await claimChunk(db, published));
  if (!chunk) throw new Error('not claimed');
  await db.transaction().execute(async (trx) => {
    await moveStatus(trx, record.id, { from: ['processing'], to: 'uploading' });
    await pauseForStore(trx, { ...chunk, start: 1 }, { cause: 'The store is locked.', waitMs });
  });
  return async () => {
    await db.transaction().execute(resumeDueImports);
    const { rows } = await fixture.database.pool.query('select status from imports where id = $1', [
      record.id,
    ]);
    return rows[0].status;
  };
};

describe('a clock that was set back by an hour', () => {
  it('does not stop the sweep of a stage', async () => {
    const { db } = fixture.database;
    const [first, second] = [await liveWorker(), await liveWorker()];
    expect(await beginSweep(db, first)).toBe(true);
    expect(await beginSweep(db, second)).toBe(false);
    await setBack('processes', 'swept_at');
    expect(await beginSweep(db, second)).toBe(true);
    expect(await beginSweep(db, first)).toBe(false);
  });

  it('does not keep killed processes alive, and a heartbeat brings live ones back', async () => {
    const { db } = fixture.database;
    const [killed, live] = [await liveWorker(), await liveWorker()];
    await setBack('processes', 'seen_at');
    expect((await listProcesses(db)).map((one) => one.live)).toEqual([false, false]);
    await recordHeartbeat(db, {
      ...{ id: live, kind: 'parse-worker', version: '0', host: 'test', pid: 1, slots: 2 },
    });
    await removeSilentProcesses(db);
    expect((await listProcesses(db)).map((one) => one.live)).toEqual([true]);
    const { rows } = await fixture.database.pool.query('select id from processes');
    expect(rows).toEqual([{ id: live }]);
    expect(killed).not.toBe(live);
  });

  it('does not prolong the wait of a chunk', async () => {
    const { db } = fixture.database;
    await storedImport(fixture, { csv: productCsv(1) });
    const [published] = await publish();
    const chunk = published && (await claimChunk(db, published));
    if (!chunk) throw new Error('not claimed');
    await deferChunk(db, chunk, { cause: 'Waiting', waitMs: 10_000 });
    expect(await publish()).toEqual([]);
    await setBack('chunks', 'not_before', 'deferred_at');
    expect(await publish()).toHaveLength(1);
  });

  it('does not prolong a pause of the store', async () => {
    const status = await pausedImport(600_000);
    expect(await status()).toBe('paused');
    await setBack('imports', 'resume_at', 'paused_at');
    expect(await status()).toBe('uploading');
  });

  it('does not stop the store’s budget', async () => {
    const { db, pool } = fixture.database;
    const shop = 'set-back.example';
    const ask = () => reservePoints(db, shop, { points: 1_999, keep: 0 });
    expect((await ask()).reservation).not.toBeNull();
    await setBack('store_budgets', 'measured_at');
    const { reservation, waitMs } = await ask();
    expect(reservation).toBeNull();
    expect(waitMs).toBeLessThan(20_000);
    // From that request on the points refill by the clock of now.
    await pool.query(`update store_budgets set measured_at = measured_at - interval '30 s'`);
    expect((await ask()).reservation).not.toBeNull();
  });

  it('does not lock anybody out, nor a product, a read, or a sync', async () => {
    const { db } = fixture.database;
    for (let n = 0; n < 10; n += 1) await insertLoginFailure(db, '192.0.2.1');
    expect(await countLoginFailures(db, '192.0.2.1', 60_000)).toBe(10);
    await setBack('login_failures', 'failed_at');
    expect(await countLoginFailures(db, '192.0.2.1', 60_000)).toBe(0);

    const listing = { shop: 'shop.example', ourId: 'set-back' };
    const claims = { keys: [], since: null };
    const write = { kind: 'create', source: null, before: null, version: null, claims } as const;
    const payload = { payload: {}, payloadHash: 'h', ...write };
    const sender = { leaseMs: 60_000 };
    expect(await beginSending(db, sender, { ...listing, ...payload })).toMatchObject({ is: 'begun' });
    expect(await takeOverSending(db, sender, listing)).toBe(false);
    await setBack('listings', 'sending_until');
    expect(await takeOverSending(db, sender, listing)).toBe(true);

    const part = { import_id: (await storedImport(fixture, { csv: productCsv(1) })).id, run: 1, part: 0 };
    expect(await claimStampRead(db, part)).toBe('mine');
    expect(await claimStampRead(db, part)).toBe('reading');
    await setBack('stamp_reads', 'changed_at');
    expect(await claimStampRead(db, part)).toBe('mine');

    for (const kind of backgroundKinds) {
      await requestTask(db, kind, 'a subject');
      await setBack('chunks', 'not_before', 'deferred_at');
      expect(await claimKind(db, kind, await liveWorker())).toBeDefined();
      expect(await claimKind(db, kind)).toBeUndefined();
      await setBack('processes', 'seen_at');
      expect(await claimKind(db, kind)).toBeDefined();
    }
  });
});

describe('a source of product data after the clock was set back by an hour', () => {
  const source = 'open-products-facts';
  const admit = (importId: string) =>
    admitCalls(fixture.database.db, {
      ...{ source, baseUrl: 'http://source.example', importId, max: 1, answerMsMax: 10_000 },
    });
  const setSourceBack = async () => {
    await setBack('sources', 'admitted_at', 'blocked_until', 'calls_left_until');
    await setBack('lookups', 'not_before', 'asked_at');
    await setBack('source_calls', 'counts_from');
  };

  /** An import whose look-ups wait for this source, which takes one call a minute. */
  const lookedUpImport = async () => {
    const { db, pool } = fixture.database;
    await pool.query('truncate sources, lookups, product_lacks cascade');
    const quota = { per_window: 1, window_ms: 60_000, per_day: 100, day_ms: 86_400_000 };
    const at = { name: source, base_url: 'http://source.example', enabled: true, simulated: false } as const;
    await registerSources(db, [{ ...at, ...quota }]);
    const { id } = await storedImport(fixture, { csv: productCsv(2) });
    await pool.query('update imports set enable_upc = true, rows_run = 1 where id = $1', [id]);
    await pool.query(
      `insert into product_lacks (import_id, run, row, gtin, fields)
       select $1, 1, row, 'gtin ' || row, '{image}' from generate_series(1, 2) as row`,
      [id],
    );
    await queueLookups(db, ['gtin 1', 'gtin 2'], [source]);
    return id;
  };

  it('counts calls as long as before, and asks again when the quota allows it', async () => {
    const id = await lookedUpImport();
    expect(await admit(id)).toMatchObject({ kind: 'calls', calls: [{ gtin: 'gtin 1' }] });
    expect(await admit(id)).toMatchObject({ kind: 'wait', because: 'quota' });
    await setSourceBack();
    const after = await admit(id);
    expect(after).toMatchObject({ kind: 'wait', because: 'quota' });
    expect(after.kind === 'wait' && after.waitMs).toBeLessThan(80_000);
  });

  it('waits no longer for a look-up that failed, nor for one whose worker was killed', async () => {
    const { db, pool } = fixture.database;
    const id = await lookedUpImport();
    await admit(id);
    await setSourceBack();
    await pool.query(`update lookups set asked_at = asked_at - interval '30 seconds' where state = 'asking'`);
    await admit(id);
    const { rows } = await pool.query(`select state from lookups where gtin = 'gtin 1'`);
    expect(rows).toEqual([{ state: 'wanted' }]);

    await requeueLookup(db, { gtin: 'gtin 1', source }, { cause: 'No answer', counted: true });
    await pool.query('update sources set retry_ms = 5000, blocked_until = null');
    await pool.query('truncate source_calls');
    await pool.query(`update lookups set not_before = clock_timestamp() + interval '5 seconds'`);
    await setSourceBack();
    const after = await admit(id);
    expect(after).toMatchObject({ kind: 'wait', because: 'retry' });
    expect(after.kind === 'wait' && after.waitMs).toBeLessThanOrEqual(6_000);
  });
});

describe('a clock that was set ahead by an hour', () => {
  it('ends waits early, and a heartbeat brings live processes back', async () => {
    const { db, pool } = fixture.database;
    const id = await liveWorker();
    const status = await pausedImport(600_000);
    await pool.query(
      `update imports set resume_at = resume_at - interval '1 hour', paused_at = paused_at - interval '1 hour'`,
    );
    expect(await status()).toBe('uploading');
    await pool.query(`update processes set seen_at = seen_at - interval '1 hour'`);
    expect((await listProcesses(db)).map((one) => one.live)).toEqual([false]);
    await recordHeartbeat(db, { id, kind: 'parse-worker', version: '0', host: 'test', pid: 1, slots: 2 });
    expect((await listProcesses(db)).map((one) => one.live)).toEqual([true]);
  });
});

it('an AI service after the clock was set back by an hour pauses no longer, and its calls count as long as before', async () => {
  const { db, pool } = fixture.database;
  const locked = <T>(
    step: (trx: typeof db, service: Awaited<ReturnType<typeof lockAiService>>) => Promise<T>,
  ) => db.transaction().execute(async (trx) => step(trx, await lockAiService(trx)));
  await locked(async (trx, service) => {
    await insertAiCall(trx, service, { importId: null, products: 0, reserved: { in: 10, out: 10 } });
    await pauseAiService(trx, 20_000, 'quota');
  });
  await setBack('ai_service', 'admitted_at', 'blocked_until');
  await setBack('ai_calls', 'counts_from');
  expect((await readAiPause(db))?.waitMs).toBeGreaterThan(3_000_000);
  await locked(async () => {});
  expect((await readAiPause(db))?.waitMs).toBeLessThan(30_000);
  expect(await readAiUseToday(db)).toMatchObject({ requests: 1 });
  const { rows } = await pool.query<{ ahead: boolean }>(
    "select counts_from > clock_timestamp() + interval '10 minutes' as ahead from ai_calls",
  );
  expect(rows).toEqual([{ ahead: false }]);
  await pool.query('truncate ai_calls');
  await changeAiService(db, { blocked_until: null, blocked_because: null });
});
