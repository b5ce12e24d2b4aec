import { type Db, withPinnedConnection } from '@draftshelf/core/connection/database';
import { findImport, lockImport, moveStatus } from '@draftshelf/core/imports/imports';
import { insertPushChunks } from '@draftshelf/core/push/push-run';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { resumeCommand } from '@draftshelf/core/review/commands/begin-undo';
import { insertCommandToApply } from '@draftshelf/core/review/commands/edit-commands';
import { findOvertakenSupplier } from '@draftshelf/core/suppliers/find-supplier';
import { keepItems } from '@draftshelf/core/suppliers/items';
import { keepEditsAndRetire } from '@draftshelf/core/suppliers/keep-values';
import { beginList } from '@draftshelf/core/suppliers/lists';
import { lockSupplier } from '@draftshelf/core/suppliers/suppliers';
import { ChunkFenced, claimChunk } from '@draftshelf/core/work/claim-chunk';
import { completeSplit, failChunk } from '@draftshelf/core/work/complete-chunk';
import { deleteImport } from '@draftshelf/core/work/delete-import';
import { cancelImport, retryImport } from '@draftshelf/core/work/import-actions';
import { readRunOverrides } from '@draftshelf/core/work/runs';
import { dropReplacedTasks, enqueueTask, hasOpenTask } from '@draftshelf/core/work/tasks';
import { mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import { expect } from 'vitest';
import { claimTask } from '../../support/claim-task.ts';
import { lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();

it('the end of a split and the cancel of its re-read do not deadlock', async () => {
  const { db } = fixture.database;
  const { id } = await storedImport(fixture, { csv: productCsv(3) });
  await moveStatus(db, id, { from: ['processing'], to: 'processed', set: { rows_run: 1 } });
  const { dialect } = await readRunOverrides(db, { import_id: id, run: 1 });
  expect((await db.transaction().execute((trx) => beginReread(trx, id, {}))).ok).toBe(true);
  const cut = await db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .where('run', '=', 2)
    .executeTakeFirstOrThrow();
  const held = await claimChunk(db, cut);
  if (!held) throw new Error('The cut was not claimed');

  // The first one to reach the new run waits there until both have begun.
  const letGo = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const holder = withPinnedConnection(fixture.database, ({ db: own }) =>
    own.transaction().execute(async (trx) => {
      await trx
        .selectFrom('runs')
        .select('run')
        .where('import_id', '=', id)
        .where('run', '=', 2)
        .forUpdate()
        .execute();
      holding.resolve();
      await letGo.promise;
    }),
  );
  await holding.promise;
  const cutEnds = db.transaction().execute((trx) =>
    completeSplit(trx, held, {
      parse: { dialect, headers: ['Title'], mapping: mapHeaders(['Title']) },
      chunks: [{ first_row: 1, rows: 3, first_product: 1, products: 3, byte_from: 0, byte_to: 10 }],
      rows: 3,
      products: 3,
      productNumbers: 3,
    }),
  );
  await until('the cut waits', async () => (await lockWaiters(fixture)) >= 1);
  const cancelled = db.transaction().execute((trx) => cancelImport(trx, id));
  await until('the cancel waits', async () => (await lockWaiters(fixture)) >= 2);
  letGo.resolve();
  await holder;
  const ended = await Promise.allSettled([cutEnds, cancelled]);
  expect(ended.map((one) => (one.status === 'rejected' ? String(one.reason) : 'went through'))).toEqual([
    'went through',
    'went through',
  ]);
  expect((await findImport(db, id))?.status).toBe('processed');
});

/** An import whose push failed, with a dead chunk, one in progress and a pending one. */
async function failedPush() {
  const { db } = fixture.database;
  const { id } = await storedImport(fixture, {
    csv: productCsv(3),
    set: { status: 'failed', failed_in: 'push', stage: 'push', push_run: 1, open_chunks: 2 },
  });
  await insertPushChunks(db, { import_id: id, run: 1 }, { productNumbers: 3, batchSize: 1 });
  const [dead, inProgress] = await pushChunksOf(id);
  if (!dead || !inProgress) throw new Error('There are no push chunks');
  await db.updateTable('chunks').set({ state: 'dead' }).where('id', '=', dead.id).execute();
  const held = await claimChunk(db, inProgress);
  if (!held) throw new Error('The chunk was not claimed');
  return { id, held };
}

const pushChunksOf = (id: string) =>
  fixture.database.db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .where('stage', '=', 'push')
    .orderBy('sequence')
    .execute();

/** Runs two transactions that both wait for an import, the first one in front. Returns how each ended. */
const whileBothWait = <A, B>(id: string, first: (trx: Db) => Promise<A>, second: (trx: Db) => Promise<B>) => {
  const { db } = fixture.database;
  return whileLocked(
    (trx) => trx.selectFrom('imports').select('id').where('id', '=', id).forUpdate().execute(),
    () => db.transaction().execute(first),
    () => db.transaction().execute(second),
  );
};

/** Runs two things that both wait for a lock, the first one in front. Returns how each ended. */
async function whileLocked<A, B>(
  lock: (trx: Db) => Promise<unknown>,
  first: () => Promise<A>,
  second: () => Promise<B>,
) {
  const letGo = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const holder = fixture.database.db.transaction().execute(async (trx) => {
    await lock(trx);
    holding.resolve();
    await letGo.promise;
  });
  await holding.promise;
  const one = first();
  await until('the first one waits', async () => (await lockWaiters(fixture)) >= 1);
  const other = second();
  await until('the second one waits', async () => (await lockWaiters(fixture)) >= 2);
  letGo.resolve();
  await holder;
  return Promise.all([one, other]);
}

it('of two retries at once, one begins and the other is refused', async () => {
  const { id } = await failedPush();
  const retry = (trx: Db) => retryImport(trx, id, 25);
  const results = await whileBothWait(id, retry, retry);
  expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
  expect(await findImport(fixture.database.db, id)).toMatchObject({ status: 'uploading', open_chunks: 3 });
  expect((await pushChunksOf(id)).map(({ state }) => state)).toEqual(['pending', 'published', 'pending']);
});

it.each(['the chunk', 'the retry'])(
  'a retry and a chunk that dies do not deadlock: %s first',
  async (front) => {
    const { id, held } = await failedPush();
    const retry = (trx: Db) => retryImport(trx, id, 25);
    const die = (trx: Db) => failChunk(trx, held, 'Products 2–2', 'out of attempts');
    await (front === 'the chunk' ? whileBothWait(id, die, retry) : whileBothWait(id, retry, die));
    const states = (await pushChunksOf(id)).map(({ state }) => state);
    expect(states[0]).toBe('pending');
    expect(['dead', 'pending']).toContain(states[1]);
    expect(await findImport(fixture.database.db, id)).toMatchObject({
      status: 'uploading',
      open_chunks: states.filter((state) => state !== 'dead').length,
    });
  },
);

it('a cancel that finds a change stopped just now leaves it to its resume, without a deadlock', async () => {
  const { db } = fixture.database;
  const { id } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'queued' } });
  const { id: command } = await insertCommandToApply(db, id, {
    kind: 'bulk',
    operations: [{ kind: 'set', field: 'vendor', value: 'Us' }],
    target: {},
    sinceEdit: null,
    author: undefined,
  });
  await enqueueTask(db, { import_id: id, run: 1 }, 'apply-command', 3, { command });
  const [cancelled, resumed] = await whileBothWait(
    id,
    (trx) => cancelImport(trx, id),
    async (trx) => {
      await db.updateTable('chunks').set({ state: 'dead' }).where('command', '=', command).execute();
      return resumeCommand(trx, id, command);
    },
  );
  expect(resumed).toEqual({ ok: true });
  expect(cancelled).toEqual({ ok: false, reason: expect.stringContaining('Cancel again.') });
  expect(await db.transaction().execute((trx) => cancelImport(trx, id))).toMatchObject({ ok: true });
});

/** The list of a new supplier whose rows are kept as items, and what finalize has found for its next reading. */
async function listOfSupplier() {
  const { db, pool } = fixture.database;
  const { id } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'queued', rows_run: 1 } });
  const { rows } = await pool.query(`insert into suppliers (name) values ($1) returning id`, [id]);
  const supplier = Number(rows[0].id);
  await beginList(db, supplier, { id, filename: 'test.csv', file_at: null, sha256: id }, []);
  await pool.query('update imports set supplier = $2 where id = $1', [id, supplier]);
  return { id, supplier, run: { import_id: id, run: 1 } };
}

it.each(['the re-read', 'the task'])(
  'the end of a re-read and the task that keeps its items do not deadlock: %s first',
  async (front) => {
    const { db } = fixture.database;
    const { id, supplier, run } = await listOfSupplier();
    const chunk = await claimTask(fixture.database, run, 'keep-items', 3);
    const makeCurrent = () =>
      db.transaction().execute(async (trx) => {
        const record = await lockImport(trx, id);
        if (!record) throw new Error('The import is gone');
        const found = { id: supplier, name: null, by: null, asked: null, signs: [], newest: supplier };
        await findOvertakenSupplier(trx, record, run, { supplier: found, lists: 1 });
        await dropReplacedTasks(trx, id);
      });
    const keep = () =>
      keepItems(db, chunk).catch((error) => {
        if (error instanceof ChunkFenced) return 'dropped';
        throw error;
      });
    const lock = (trx: Db) => lockSupplier(trx, supplier);
    await (front === 'the task'
      ? whileLocked(lock, keep, makeCurrent)
      : whileLocked(lock, makeCurrent, keep));
    expect(await hasOpenTask(db, id, 'keep-items')).toBe(false);
  },
);

it.each(['the deletion', 'the task'])(
  'the deletion of an import and the task that removes its old rows do not deadlock: %s first',
  async (front) => {
    const { db, pool } = fixture.database;
    const { id, run } = await listOfSupplier();
    await pool.query(
      `with command as (
         insert into edit_commands (import_id, kind, rows, edits) values ($1, 'single', 1, 1) returning id
       ) insert into edits (import_id, command, row, byte_from, field, after) select $1, id, 1, 0, 'price', '2' from command`,
      [id],
    );
    const chunk = await claimTask(fixture.database, run, 'retire-rows', 3);
    const remove = () => db.transaction().execute((trx) => deleteImport(trx, id));
    const retire = () =>
      keepEditsAndRetire(db, chunk).catch((error) => {
        if (error instanceof ChunkFenced) return 'dropped';
        throw error;
      });
    const lock = (trx: Db) => lockImport(trx, id);
    await (front === 'the task' ? whileLocked(lock, retire, remove) : whileLocked(lock, remove, retire));
    expect(await findImport(db, id)).toMatchObject({ deletion_began_at: expect.any(Date) });
    expect(await hasOpenTask(db, id, 'retire-rows')).toBe(false);
  },
);
