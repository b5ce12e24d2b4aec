import { randomUUID } from 'node:crypto';
import { openDatabase } from '@draftshelf/core/connection/database';
import { claimFile } from '@draftshelf/core/folders/claimed-files';
import { queueFile } from '@draftshelf/core/folders/shown-files';
import { releaseTask, requestTask } from '@draftshelf/core/work/background-tasks';
import { claimChunk, lostClaimsMax } from '@draftshelf/core/work/claim-chunk';
import { countDeaths, recordDeaths } from '@draftshelf/core/work/deaths';
import { recordHeartbeat, removeSilentProcesses } from '@draftshelf/core/work/processes';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import type { BackgroundKind } from '@draftshelf/domain/work/task-catalog';
import { runChunk } from '@draftshelf/queues/run-chunk';
import { createLogger } from '@draftshelf/runtime/logger';
import { expect, onTestFinished } from 'vitest';
import { type Fixture, productCsv, storedImport, until } from '../../support/fixture.ts';
import { writeFile, writeSource } from '../../support/folder-rows.ts';
import { claimKind, quietRunner } from '../../support/tasks.ts';
import { test } from '../../support/test.ts';

const silentMs = 16_000;

test.beforeEach(async ({ fixture }) => {
  await fixture.database.pool.query(
    'delete from chunks where subject is not null; truncate processes, watched_files, watch_sources cascade',
  );
  // A process that was seen before Postgres started did not die.
  await until('Postgres runs for long enough', async () => {
    const { rows } = await fixture.database.pool.query(
      `select pg_postmaster_start_time() < now() - interval '22 s' as long`,
    );
    return rows[0].long;
  });
  await report(fixture.database.db, randomUUID());
});

const report = (db: Fixture['database']['db'], id: string) =>
  recordHeartbeat(db, { id, kind: 'folder-worker', version: '1', host: 'test', pid: 1, slots: 1 });

/** A process that has reported itself by a connection of its own. */
async function holderOf({ databaseUrl, database }: Fixture) {
  const own = openDatabase({ connectionString: databaseUrl, applicationName: 'holder', keepIdle: true });
  const id = randomUUID();
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await own.close();
    await until('its connection is closed', async () => {
      const { rows } = await database.pool.query(
        `select from processes join pg_stat_activity activity on activity.pid = backend_pid where processes.id = $1`,
        [id],
      );
      return rows.length === 0;
    });
  };
  onTestFinished(close);
  await report(own.db, id);
  /** As if it had been silent for a while. */
  const isSilent = async () => {
    const ago = `interval '${silentMs} ms'`;
    await database.pool.query(`
      update processes set seen_at = seen_at - ${ago} where id = '${id}';
      update processes set answered_since = answered_since - 2 * ${ago}`);
  };
  return {
    id,
    db: own.db,
    close,
    isSilent,
    /** As if its process had been killed. */
    async die() {
      await close();
      await isSilent();
      await recordDeaths(database.db);
    },
  };
}

const claim = ({ database: { db } }: Fixture, holder: string, kind: BackgroundKind = 'delete-supplier') =>
  claimKind(db, kind, holder);

const takes = ({ database: { db } }: Fixture, holder: string, kind: 'local' | 'onedrive' = 'local') =>
  db.transaction().execute((trx) => claimFile(trx, kind, holder));

const filesOf = async ({ database: { db } }: Fixture) =>
  (await db.selectFrom('watched_files').selectAll().orderBy('name').execute()).map(
    ({ name, state, deaths, suspected }) => `${name} ${state} ${deaths}${suspected ? ' suspected' : ''}`,
  );

async function twoFiles(fixture: Fixture): Promise<number> {
  const source = await writeSource(fixture, 'local', { state: 'ok' });
  const first = await writeFile(fixture, source, { name: 'a.csv', state: 'waiting' });
  await writeFile(fixture, source, { name: 'b.csv', state: 'waiting' });
  return first;
}

test('a file whose processes die is read last, fails at the third death, and can be tried again', async ({
  fixture,
}) => {
  const id = await twoFiles(fixture);
  for (const deaths of [1, 2, 3]) {
    const holder = await holderOf(fixture);
    if (deaths > 1) {
      // The other one waits too, and comes first.
      expect(await takes(fixture, holder.id)).toMatchObject({ file: { name: 'b.csv' } });
      await fixture.database.pool.query(
        `update watched_files set state = 'held', held_by = null where name = 'b.csv'`,
      );
    }
    expect(await takes(fixture, holder.id)).toMatchObject({ file: { name: 'a.csv' } });
    await holder.die();
    await recordDeaths(fixture.database.db);
    await fixture.database.pool.query(`update watched_files set state = 'waiting' where name = 'b.csv'`);
    const state = deaths === 3 ? 'failed' : 'waiting';
    expect(await filesOf(fixture)).toEqual([`a.csv ${state} ${deaths} suspected`, 'b.csv waiting 0']);
  }
  const { rows } = await fixture.database.pool.query(`select reason from watched_files where name = 'a.csv'`);
  expect(rows[0].reason).toMatch(
    /ended three times .* Save the file as CSV or split it, then choose Try Again\.$/,
  );
  await queueFile(fixture.database.db, 'local', id);
  expect(await filesOf(fixture)).toEqual(['a.csv waiting 0', 'b.csv waiting 0']);
});

test('of two files that one process read, none counts the death, and they are read apart', async ({
  fixture,
}) => {
  await twoFiles(fixture);
  const source = await writeSource(fixture, 'onedrive', { state: 'ok' });
  await writeFile(fixture, source, { name: 'c.csv', state: 'waiting' });
  const holder = await holderOf(fixture);
  await takes(fixture, holder.id);
  await takes(fixture, holder.id, 'onedrive');
  await holder.die();
  expect(await filesOf(fixture)).toEqual([
    ...['a.csv waiting 0 suspected', 'b.csv waiting 0', 'c.csv waiting 0 suspected'],
  ]);
  // Not beside one that is suspected, whichever is taken first.
  const next = await holderOf(fixture);
  expect(await takes(fixture, next.id, 'onedrive')).toMatchObject({ file: { name: 'c.csv' } });
  expect(await takes(fixture, next.id)).toEqual({ is: 'none' });
});

test('silence is no death while the connection is open, or when Postgres was away', async ({ fixture }) => {
  const { db, pool } = fixture.database;
  await twoFiles(fixture);
  const holder = await holderOf(fixture);
  await takes(fixture, holder.id);
  await holder.isSilent();
  await recordDeaths(db);
  await pool.query(`update processes set seen_at = seen_at - interval '5 s' where id = $1`, [holder.id]);
  await removeSilentProcesses(db);
  expect(await filesOf(fixture)).toEqual(['a.csv taking 0', 'b.csv waiting 0']);

  // All were silent meanwhile, and report themselves again when Postgres is back.
  await holder.close();
  await pool.query(`update processes set seen_at = now() - interval '${silentMs} ms'`);
  const { rows } = await pool.query('select id from processes where id <> $1', [holder.id]);
  await report(db, rows[0].id);
  await recordDeaths(db);
  expect(await filesOf(fixture)).toEqual(['a.csv taking 0', 'b.csv waiting 0']);

  // Postgres has restarted since.
  await pool.query(
    `update processes set answered_since = 'epoch', seen_at = case id when $1
       then pg_postmaster_start_time() - interval '1 s' else now() end`,
    [holder.id],
  );
  await recordDeaths(db);
  expect(await filesOf(fixture)).toEqual(['a.csv taking 0', 'b.csv waiting 0']);
});

/** A runner of which nothing is expected but that it gives up. */
async function giveUp({ database }: Fixture): Promise<{ error: string | null; failed: unknown[] }> {
  const failed: unknown[] = [];
  const runner = quietRunner({
    ...{ processId: randomUUID(), database },
    handlers: {
      'delete-supplier': {
        subjects: ['7'],
        run: () => Promise.reject(new Error('It was run again')),
        onFailed: async (_trx, _task, error) => void failed.push(error),
      },
    },
  });
  await runner.runDue();
  const task = await database.db
    .selectFrom('chunks')
    .select(['error', 'state'])
    .where('subject', '=', '7')
    .executeTakeFirstOrThrow();
  expect(task.state).toBe('done');
  return { error: task.error, failed };
}

test('a task whose processes died three times while they did only this fails with a sentence', async ({
  fixture,
}) => {
  const { db } = fixture.database;
  await requestTask(db, 'delete-supplier', '7');
  await requestTask(db, 'fold-counts');
  const [first, second] = [await holderOf(fixture), await holderOf(fixture)];
  await claim(fixture, first.id);
  await claim(fixture, first.id, 'fold-counts');
  await first.die();
  for (const holder of [second, await holderOf(fixture), await holderOf(fixture)]) {
    // The death of the first one, which also did another task, does not count.
    expect(await claim(fixture, holder.id)).toBeDefined();
    await holder.die();
  }
  const { error, failed } = await giveUp(fixture);
  expect(error).toBe(
    'The parse-worker ended three times while it did only this work. Read the end of its log, then retry the work.',
  );
  expect(failed).toHaveLength(1);
});

test('a task that was begun ten times and never ended fails with a sentence', async ({ fixture }) => {
  await requestTask(fixture.database.db, 'delete-supplier', '7');
  for (let claims = 1; claims <= lostClaimsMax; claims += 1) {
    expect(await claim(fixture, randomUUID())).toMatchObject({ claims });
  }
  expect((await giveUp(fixture)).error).toMatch(/^Started 11 times and never finished/);
});

test('a task counts nothing when its process stops in order, or when Postgres was away', async ({
  fixture,
}) => {
  const { db, pool } = fixture.database;
  await requestTask(db, 'delete-supplier', '7');
  const [first, second] = [await holderOf(fixture), await holderOf(fixture)];
  const task = await claim(fixture, first.id);
  if (task) await releaseTask(db, task, { waitMs: 0 });
  await first.close();
  expect(await claim(fixture, second.id)).toMatchObject({ lost_by: [] });

  await second.isSilent();
  await pool.query('update processes set answered_since = now()');
  await recordDeaths(db);
  const next = await claim(fixture, first.id);
  expect(next && (await countDeaths(db, next))).toBe(0);
});

test('the death of a process that had a chunk of an import or a file does not count for its task', async ({
  fixture,
}) => {
  const { db, pool } = fixture.database;
  await requestTask(db, 'delete-supplier', '7');
  await twoFiles(fixture);
  const { chunks } = await chunksOf(fixture, 1);
  const [first, second] = [await holderOf(fixture), await holderOf(fixture)];
  await claim(fixture, first.id);
  await takes(fixture, first.id);
  await first.die();
  await claim(fixture, second.id);
  for (const chunk of chunks) await claimChunk(second.db, chunk, second.id);
  await second.die();
  const { rows } = await pool.query(
    'select died_with from processes where died_at is not null order by died_at',
  );
  expect(rows).toEqual([{ died_with: null }, { died_with: chunks[0]?.id }]);
  const third = await claim(fixture, randomUUID());
  expect(third && (await countDeaths(db, third))).toBe(0);
});

/** An import with chunks of three rows. */
async function chunksOf(fixture: Fixture, count: number) {
  const { id } = await storedImport(fixture, { csv: productCsv(3 * count), rowsMax: 3 });
  const read = () =>
    fixture.database.db
      .selectFrom('chunks')
      .selectAll()
      .where('import_id', '=', id)
      .where('kind', '=', 'work')
      .orderBy('id')
      .execute();
  return { read, chunks: await read() };
}

const doNext = (
  { database }: Fixture,
  { id, publication }: { id: number; publication: number },
  processId: string,
) =>
  runChunk(
    { chunkId: id, publication },
    {
      stage: 'parse',
      perform: () => Promise.reject(new Error('done again')),
      finalize: async () => true,
      tasks: {},
    },
    {
      ...{ database, processId, logger: createLogger({ name: 'test', level: 'silent', pretty: false }) },
      ...{ tallies: createTallies(), signal: new AbortController().signal },
    },
  ).catch(({ message }: Error) => message);

test('a chunk counts the deaths of processes that did only this, also when others do it already', async ({
  fixture,
}) => {
  const { read, chunks } = await chunksOf(fixture, 1);
  const [chunk] = chunks;
  if (!chunk) throw new Error('There is no chunk');
  const [first, second] = [await holderOf(fixture), await holderOf(fixture)];
  const [third, fourth, last] = [await holderOf(fixture), await holderOf(fixture), await holderOf(fixture)];
  await claimChunk(first.db, chunk, first.id);
  await claimChunk(second.db, chunk, second.id);
  await first.die();
  await second.die();
  await claimChunk(third.db, chunk, third.id);
  // Two deaths are not enough.
  expect(await doNext(fixture, chunk, last.id)).toBe('done again');
  // Not the third one, whose connection was just ended.
  await claimChunk(fourth.db, chunk, fourth.id);
  await fourth.die();
  const died =
    'The parse-worker ended three times while it did only this work. Read the end of its log, then retry the work.';
  expect(await doNext(fixture, chunk, last.id)).toBe(died);
  expect(await read()).toMatchObject([{ state: 'dead', error: died, claims: 6 }]);
});

test('of two chunks that a process had, none counts its death', async ({ fixture }) => {
  const { chunks } = await chunksOf(fixture, 2);
  const [first, second] = [await holderOf(fixture), await holderOf(fixture)];
  for (const chunk of chunks) await claimChunk(first.db, chunk, first.id);
  for (const chunk of chunks) await claimChunk(second.db, chunk, second.id);
  await first.die();
  const { rows } = await fixture.database.pool.query(
    'select died_at, died_with from processes where id = $1',
    [first.id],
  );
  expect(rows).toEqual([{ died_at: expect.any(Date), died_with: null }]);
});
