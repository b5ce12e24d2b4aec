import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Condition, EndedCondition } from '@draftshelf/contract/operate/conditions';
import { insertLoginFailure } from '@draftshelf/core/access/sessions';
import { openDatabase } from '@draftshelf/core/connection/database';
import { recordConfiguredStore } from '@draftshelf/core/enrich/sources';
import { readHealthFacts } from '@draftshelf/core/operate/conditions/health-facts';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import { ChunkFenced } from '@draftshelf/core/work/claim-chunk';
import { recordDeaths } from '@draftshelf/core/work/deaths';
import { recordHeartbeat, removeProcess } from '@draftshelf/core/work/processes';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { type ConditionId, factWindows } from '@draftshelf/domain/operate/conditions';
import { createTallies, type Tallies } from '@draftshelf/domain/operate/tallies';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { type PinnedWork, runChunk } from '@draftshelf/queues/run-chunk';
import { closeServer, listenOn } from '@draftshelf/runtime/http-listener';
import { createLogger } from '@draftshelf/runtime/logger';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { expect } from 'vitest';
import { createAlertSender, createConditionWatch } from '../../../apps/api/src/operate/watch-conditions.ts';
import { createCallCounter } from '../../../apps/push-worker/src/push-step.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { csvForm } from '../../support/api-client.ts';
import { type Fixture, productCsv, storedImport, until } from '../../support/fixture.ts';
import { storeToken } from '../../support/stack.ts';
import { claimKind, lockOf, loseTasks } from '../../support/tasks.ts';
import { testOnStack } from '../../support/test.ts';

const test = testOnStack({ names: ['store-simulator'] });
const logger = createLogger({ name: 'test', level: 'silent', pretty: false });
const worker = { kind: 'parse-worker', version: '1', host: 'test', pid: 1, slots: 2 } as const;

type Listed = { conditions: Condition[]; ended: EndedCondition[] };

/** What a webhook got. */
type Post = { condition: ConditionId; state: 'begun' | 'ended'; text: string };

async function startWebhook() {
  const posts: Post[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    if (status === 200) posts.push(JSON.parse(text));
    response.writeHead(status).end();
  });
  const port = await listenOn(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    answer: (code: number) => {
      status = code;
    },
    close: () => closeServer(server),
  };
}

let fixture: Fixture;
let webhook: Awaited<ReturnType<typeof startWebhook>>;
let api: TestApi;
let tallies: Tallies;
const diskBytes = 1e12;
let freeShare = 1;

/** A watch whose conditions begin with their signs, except a backup that never was. */
const watchOn = (database: Fixture['database'], forMs = (_id: ConditionId) => 0) =>
  createConditionWatch({
    ...{ database: fixture.database, changes: database, tallies, logger },
    disk: async () => ({ freeBytes: freeShare * diskBytes, totalBytes: diskBytes }),
    sendAlert: createAlertSender(webhook.url, 'http://shelf'),
    windows: { ...factWindows, standsMs: 1 },
    forMs,
  });
let watch: ReturnType<typeof watchOn>;
const look = () => watch.look();

test.beforeAll(async ({ stack }) => {
  fixture = stack;
  webhook = await startWebhook();
  tallies = createTallies();
  watch = watchOn(stack.database);
  const storage = createObjectStorage({ ...stack.storageEnv, S3_ENDPOINT: 'http://127.0.0.1:9' });
  api = await startApi(stack, { set: { tallies, conditions: watch, storage } });
  // A process that was last seen before Postgres started is not known to have died: the causes go back by 31 s.
  await until('Postgres runs for a while', async () => {
    const { rowCount } = await query(`select where pg_postmaster_start_time() < now() - interval '32 s'`);
    return rowCount === 1;
  });
});
test.afterAll(async () => {
  await api.close();
  await webhook.close();
});

const query = (text: string) => fixture.database.pool.query(text);

/** Stores what was counted, as the next heartbeat does. */
async function storeCounts(): Promise<void> {
  const self = await reportThisProcess(fixture.database.db, {
    ...{ kind: 'api', version: '1', slots: 0, tallies, onProblem: () => {} },
  });
  await self.stop();
}

/** Looks until a condition is listed, or is not. */
async function isListed(id: ConditionId, expected: boolean): Promise<void> {
  await until(`${id} is ${expected ? '' : 'not '}listed`, async () => {
    await storeCounts();
    await look();
    return (await watch.list()).some((one) => one.id === id) === expected;
  });
}

/** Moves what was counted out of all windows. */
const pastCounts = () =>
  query(`delete from health_counts where at < now() - interval '15 minutes';
    update health_counts set at = at - interval '20 minutes'`);
const addProcess = async (set: Partial<Parameters<typeof recordHeartbeat>[1]>) => {
  const id = randomUUID();
  await recordHeartbeat(fixture.database.db, { ...worker, ...set, id });
  return () => removeProcess(fixture.database.db, id);
};

type Provoked = { provoke(): Promise<unknown>; end(provoked: never): Promise<unknown> };

/** The cause of each condition, and its end. */
const causes: Record<ConditionId, Provoked> = {
  'no-worker': {
    provoke: () => storedImport(fixture, { csv: productCsv(2) }),
    end: () => query('truncate imports cascade'),
  },
  'backlog-old': { provoke: waitForIdleWorker, end: () => query('truncate imports, processes cascade') },
  'stage-stands': { provoke: waitForIdleWorker, end: () => query('truncate imports, processes cascade') },
  'dead-work': {
    provoke: async () => {
      const { id } = await storedImport(fixture, { csv: productCsv(2) });
      await query(`update chunks set state = 'dead', ended_at = now()`);
      return id;
    },
    end: (id: string) => api.call('POST', `/api/queue/${id}/cancel`),
  },
  'workers-die': { provoke: claimOftenWithoutEnd, end: pastCounts },
  'program-crashes': {
    async provoke() {
      await addProcess({ kind: 'api' });
      // A process in each of three minutes, whose connection is closed.
      for (const minutes of [2, 4, 6]) {
        const own = openDatabase({ connectionString: fixture.databaseUrl, applicationName: 'crashing' });
        await recordHeartbeat(own.db, { ...worker, kind: 'keeper', id: randomUUID() });
        await own.close();
        await query(`
          update processes set seen_at = now() - interval '16 s' where kind = 'keeper' and died_at is null;
          update processes set answered_since = 'epoch'`);
        await until('the death is noted', async () => {
          await recordDeaths(fixture.database.db);
          return (
            (await query(`select from processes where died_at = seen_at and kind = 'keeper'`)).rowCount === 1
          );
        });
        await query(`
          update processes set died_at = now() - interval '${minutes} minutes', seen_at = now() - interval '20 minutes'
          where kind = 'keeper' and died_at = seen_at`);
      }
    },
    end: () =>
      query(`update processes set died_at = died_at - interval '30 minutes' where died_at is not null`),
  },
  'task-outlives': {
    async provoke() {
      const remove = await addProcess({ kind: 'enrich-worker' });
      await query(`update processes set seen_at = now() - interval '31 s' where kind = 'enrich-worker'`);
      return remove;
    },
    end: (remove: () => Promise<void>) => remove(),
  },
  'queue-loses': { provoke: async () => tallies.add('queue-repairs', 11), end: pastCounts },
  'database-refuses': { provoke: async () => tallies.add('database-refusals'), end: pastCounts },
  'disk-filling': {
    provoke: async () => {
      freeShare = 0.05;
    },
    end: async () => {
      freeShare = 0.5;
    },
  },
  'disk-full-soon': {
    provoke: async () => {
      await query('delete from disk_samples');
      await query(`insert into disk_samples
        select date_trunc('hour', now()) - n * interval '1 hour', ${diskBytes}::bigint * (70 + n) / 100, ${diskBytes}
        from generate_series(1, 30) n`);
      freeShare = 0.6;
    },
    end: async () => {
      expect(await query(`select count(*)::int as samples from disk_samples`)).toMatchObject({
        rows: [{ samples: 25 }],
      });
      await query('delete from disk_samples');
      freeShare = 1;
    },
  },
  'storage-errors': {
    provoke: async () => {
      for (let i = 0; i < 3; i += 1) {
        expect(await api.upload(csvForm('Title,Price\nA,1\n'))).toMatchObject({ status: 503 });
      }
    },
    end: pastCounts,
  },
  'store-refuses': {
    provoke: async () => {
      const store = { url: storeUrl, apiVersion: '2026-10', credentials: { accessToken: 'revoked' } };
      const budget = { reserve: async (points: number) => ({ points }), report: async () => {} };
      const client = createShopifyClient(store, { budget, onCall: createCallCounter(tallies) });
      await expect(client.request('shop', {})).rejects.toThrow();
    },
    end: pastCounts,
  },
  'store-version': {
    provoke: async () => {
      const store = { url: storeUrl, apiVersion: '2025-10', credentials: { accessToken: storeToken } };
      const budget = { reserve: async (points: number) => ({ points }), report: async () => {} };
      await createShopifyClient(store, { budget, onCall: createCallCounter(tallies) }).request('shop', {});
    },
    end: pastCounts,
  },
  'api-errors': {
    provoke: async () => {
      await query('alter table settings rename to settings_away');
      for (let i = 0; i < 3; i += 1) await api.call('GET', '/api/settings');
      await query('alter table settings_away rename to settings');
    },
    end: pastCounts,
  },
  'api-slow': {
    provoke: async () => {
      for (let i = 0; i < 60; i += 1) await api.call('GET', '/api/preferences');
      const locked = query(`begin; lock table settings; select pg_sleep(1.3); commit`);
      await until('the table is locked', async () => {
        const { rows } = await query(
          `select 1 from pg_locks where relation = 'settings'::regclass and mode = 'AccessExclusiveLock' and granted`,
        );
        return rows.length > 0;
      });
      await Promise.all([locked, ...[1, 2, 3, 4].map(() => api.call('GET', '/api/settings'))]);
    },
    end: pastCounts,
  },
  'clock-skew': {
    provoke: () => addProcess({ clock_skew_ms: 5_000 }),
    end: (remove: () => Promise<void>) => remove(),
  },
  'versions-mixed': {
    provoke: async () => [await addProcess({}), await addProcess({ version: '2' })],
    end: (all: (() => Promise<void>)[]) => Promise.all(all.map((remove) => remove())),
  },
  'backup-old': {
    provoke: async () => {
      await recordConfiguredStore(fixture.database.db, { url: 'https://x.myshopify.com', isReal: true });
      await query(`insert into backups values (now() - interval '27 hours', '/b')`);
    },
    end: () => query(`insert into backups (directory) values ('/b')`),
  },
  'restore-differs': {
    provoke: () =>
      query(
        `insert into backups (directory, bytes, checked_at, check_result)
         values ('/b', 1, now(), '{"count": 2, "problem": null}')`,
      ),
    end: () =>
      query(
        `insert into backups (directory, bytes, checked_at, check_result)
         values ('/c', 1, now() + interval '1 s', '{"count": 0, "problem": null}')`,
      ),
  },
  'audit-differs': {
    provoke: () =>
      query(`insert into audits (ended_at, difference_count, differences) values (now(), 2, '[]')`),
    end: () => query(`insert into audits (ended_at, differences) values (now() + interval '1 s', '[]')`),
  },
  'login-guessing': {
    provoke: async () => {
      for (let i = 0; i < 51; i += 1) await insertLoginFailure(fixture.database.db, `10.0.0.${i}`);
    },
    end: () => query(`update login_failures set failed_at = failed_at - interval '16 minutes'`),
  },
  'list-late': {
    provoke: () =>
      query(
        `with supplier as (insert into suppliers (name) values ('Late') returning id)
         insert into feeds (supplier, state, kind, shown, host, sign_in, schedule, trouble_since)
         select id, 'on', 'web', 'a', 'a', 'none', '{"every": "hour"}', now() - interval '25 hours' from supplier`,
      ),
    end: () => query('update feeds set trouble_since = null'),
  },
};

let storeUrl = '';

/** A worker has slots and does nothing. */
async function waitForIdleWorker(): Promise<void> {
  await addProcess({});
  await storedImport(fixture, { csv: productCsv(2) });
}

/** Claims a chunk as if its workers had been killed: once, which counts as nothing, then twice six times. */
async function claimOftenWithoutEnd(): Promise<void> {
  const { id } = await storedImport(fixture, { csv: productCsv(2) });
  for (const claims of [1, 2, 2, 2, 2, 2, 2]) {
    const [chunk] = (
      await query(
        `update chunks set claims = ${claims} where import_id = '${id}' returning id::int, publication`,
      )
    ).rows;
    const counted = await runWith(chunk, async () => {});
    const count = counted.total('claims-repeated');
    expect(count).toBe(claims - 1);
    tallies.add('claims-repeated', count);
  }
  await query(`delete from imports where id = '${id}'`);
}

test.for(Object.entries(causes) as [ConditionId, Provoked][])(
  '%s begins with its cause and ends with it, and is told once each',
  async ([id, { provoke, end }], { stack }) => {
    storeUrl = stack.store.url;
    webhook.posts.length = 0;
    const provoked = await provoke();
    await isListed(id, true);
    await look();
    await end(provoked as never);
    await isListed(id, false);
    await look();
    const told = webhook.posts.filter(({ condition }) => condition === id);
    expect(told.map(({ state }) => state)).toEqual(['begun', 'ended']);
    expect(told[0]?.text).toMatch(/^Draftshelf: .+\.$/);
  },
);

/** Does the work of a chunk as `perform`, with counts of its own, and returns those. */
async function runWith(
  chunk: { id: number; publication: number },
  perform: (work: PinnedWork) => Promise<void>,
): Promise<Tallies> {
  const counted = createTallies();
  const step = { stage: 'parse' as const, finalize: async () => true, tasks: {}, perform };
  const payload = { chunkId: chunk.id, publication: chunk.publication };
  const { signal } = new AbortController();
  await runChunk(payload, step, { database: fixture.database, logger, tallies: counted, signal });
  return counted;
}

test('a fresh import does not stand, and tasks and other stages do not move one', async () => {
  await query('truncate imports, processes cascade');
  const { id } = await storedImport(fixture, { csv: productCsv(2) });
  const parse = async () => (await readHealthFacts(fixture.database.db, factWindows)).stages[0];
  expect(await parse()).toMatchObject({ stage: 'parse', due: 1, old: 0, standing: 0 });
  await query(`update runs set started_at = now() - interval '6 minutes'`);
  const ended = (stage: string, kind: string, task: string) =>
    query(`insert into chunks (import_id, stage, run, kind, task, sequence, state, ended_at)
      values ('${id}', '${stage}', 1, '${kind}', ${task}, 9, 'done', now())`);
  await ended('parse', 'task', `'find-in-imports'`);
  await ended('enrich', 'work', 'null');
  expect(await parse()).toMatchObject({ due: 1, old: 1, standing: 1, moves: false });
  await ended('parse', 'work', 'null');
  expect(await parse()).toMatchObject({ due: 1, old: 1, standing: 0, moves: true });
  await query('truncate imports cascade');
});

test('an audit that broke off hides no differences, and one that does not end is overdue', async () => {
  await query('delete from audits');
  const read = async () => (await readHealthFacts(fixture.database.db, factWindows)).audit;
  expect(await read()).toEqual({ differences: 0, brokeOff: false, isOverdue: false });
  await query(`insert into audits (ended_at, difference_count, differences, problem)
    values (now(), 2, '[]', null), (now(), 0, '[]', 'It broke off.')`);
  expect(await read()).toEqual({ differences: 2, brokeOff: true, isOverdue: false });
  await query(`insert into audits (ended_at, differences) values (now(), '[]')`);
  await query(`insert into audits (started_at, differences)
    values (now() - interval '47 hours', '[]')`);
  expect(await read()).toEqual({ differences: 0, brokeOff: false, isOverdue: false });
  await query(`update audits set started_at = started_at - interval '2 hours' where ended_at is null`);
  expect(await read()).toEqual({ differences: 0, brokeOff: false, isOverdue: true });
  await query('delete from audits');
});

test('a take-over ends the connection of a claim, and that counts as no refusal', async () => {
  const { id } = await storedImport(fixture, { csv: productCsv(2) });
  const [chunk] = (await query(`select id::int, publication from chunks where import_id = '${id}'`)).rows;
  const lose = async ({ connection }: PinnedWork) => {
    await connection.client.query('select pg_terminate_backend(pg_backend_pid())');
  };
  const counted = await runWith(chunk, async (work) => {
    await query(`update chunks set claims = claims + 1 where id = ${chunk.id}`);
    await lose(work);
  });
  expect(counted.total('database-refusals')).toBe(0);
  // The same while the claim holds.
  const held = await runWith(chunk, lose);
  expect(held.total('database-refusals')).toBe(1);
  await query(`delete from imports where id = '${id}'`);
});

test('a condition begins only after its sign has lasted, and nothing is told before', async () => {
  webhook.posts.length = 0;
  const patient = watchOn(fixture.database, () => 60_000);
  freeShare = 0.05;
  await patient.look();
  await patient.look();
  expect(await patient.list()).toEqual([]);
  await query(`update conditions set seen_since = seen_since - interval '1 minute'`);
  await patient.look();
  expect(await patient.list()).toMatchObject([{ id: 'disk-filling', detail: '5 % of the disk is free.' }]);
  freeShare = 1;
  await patient.look();
  expect(await patient.list()).toEqual([]);
  // The end of a condition of the test before may be told meanwhile.
  const told = webhook.posts.filter(({ condition }) => condition === 'disk-filling');
  expect(told.map(({ state }) => state)).toEqual(['begun', 'ended']);
});

test('screens get the conditions with what they mean and what to do', async () => {
  freeShare = 0.05;
  await look();
  const list = async () => (await api.call('GET', '/api/system/conditions')).body;
  await until('the shared reply is a new one', async () => ((await list()) as Listed).conditions.length > 0);
  expect(await list()).toEqual({
    conditions: [
      {
        id: 'disk-filling',
        sentence: expect.stringMatching(/disk/),
        detail: '5 % of the disk is free.',
        todo: expect.stringMatching(/Free space/),
        since: expect.any(String),
      },
    ],
    ended: expect.not.arrayContaining([expect.objectContaining({ id: 'disk-filling' })]),
  });
  freeShare = 1;
  await look();
  await until('the shared reply has the end', async () => ((await list()) as Listed).conditions.length === 0);
  const [ended] = ((await list()) as Listed).ended;
  expect(ended).toEqual({
    ...{ id: 'disk-filling', sentence: expect.stringMatching(/disk/), detail: '5 % of the disk is free.' },
    endedAt: expect.any(String),
  });
});

test('one api watches and tells; another one takes over when it is gone', async () => {
  webhook.posts.length = 0;
  const [first, second] = [watchOn(fixture.database), watchOn(fixture.database)];
  const { db } = fixture.database;
  await requestTask(db, 'watch-conditions');
  const task = await claimKind(db, 'watch-conditions');
  expect(await claimKind(db, 'watch-conditions')).toBeUndefined();
  if (!task) throw new Error('The watch was not claimed');
  freeShare = 0.05;
  for (let looks = 0; looks < 3; looks += 1) await first.look(lockOf(task));
  expect(webhook.posts).toHaveLength(1);
  await loseTasks(fixture.database);
  freeShare = 1;
  const next = await claimKind(db, 'watch-conditions');
  if (!next) throw new Error('Nobody took the watch over');
  await second.look(lockOf(next));
  await expect(first.look(lockOf(task))).rejects.toThrow(ChunkFenced);
  expect(webhook.posts.map(({ state }) => state)).toEqual(['begun', 'ended']);
});

test('what the webhook did not take is told with the next look', async () => {
  webhook.posts.length = 0;
  const watch = watchOn(fixture.database);
  webhook.answer(500);
  freeShare = 0.05;
  await watch.look();
  webhook.answer(200);
  await watch.look();
  expect(webhook.posts).toMatchObject([{ condition: 'disk-filling', state: 'begun' }]);
  freeShare = 1;
  await watch.look();
});

test('a database that is gone is told once, and its return too', async () => {
  webhook.posts.length = 0;
  const away = openDatabase({ connectionString: 'postgresql://x@127.0.0.1:9/x', applicationName: 'away' });
  const changes = { ...fixture.database };
  const watch = watchOn(changes);
  await watch.look();
  Object.assign(changes, { db: away.db });
  await watch.look();
  await watch.look();
  expect(await watch.list()).toMatchObject([{ id: 'database-refuses' }]);
  Object.assign(changes, { db: fixture.database.db });
  await watch.look();
  await storeCounts();
  await watch.look();
  expect(await watch.list()).toMatchObject([{ id: 'database-refuses' }]);
  await pastCounts();
  await watch.look();
  expect(webhook.posts.map(({ condition, state }) => [condition, state])).toEqual([
    ['database-refuses', 'begun'],
    ['database-refuses', 'ended'],
  ]);
  await away.close();
});
