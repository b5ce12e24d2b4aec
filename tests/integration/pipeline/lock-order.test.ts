import { type Db, onPinnedConnection } from '@draftshelf/database/connection/database';
import { findImport, moveStatus } from '@draftshelf/database/imports/imports';
import { insertPushChunks } from '@draftshelf/database/push/push-chunks';
import { insertCommandToApply } from '@draftshelf/database/review/commands/edit-commands';
import { claimChunk } from '@draftshelf/database/work/claim-chunk';
import { enqueueCommandTask } from '@draftshelf/database/work/command-tasks';
import { failChunk } from '@draftshelf/database/work/complete-chunk';
import { completeSplit } from '@draftshelf/database/work/complete-split';
import { readRunOverrides } from '@draftshelf/database/work/runs';
import { mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import { beginReread } from '@draftshelf/imports/reading/begin-reread';
import { resumeCommand } from '@draftshelf/imports/review/commands/begin-undo';
import { cancelImport, retryImport } from '@draftshelf/imports/work/import-actions';
import { expect } from 'vitest';
import { type Fixture, lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { test as it } from '../../support/test.ts';

let fixture: Fixture;
it.beforeAll(({ fixture: own }) => {
  fixture = own;
});

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
  const holder = onPinnedConnection(fixture.database, ({ db: own }) =>
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
async function whileBothWait<A, B>(
  id: string,
  first: (trx: Db) => Promise<A>,
  second: (trx: Db) => Promise<B>,
) {
  const { db } = fixture.database;
  const letGo = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const holder = db.transaction().execute(async (trx) => {
    await trx.selectFrom('imports').select('id').where('id', '=', id).forUpdate().execute();
    holding.resolve();
    await letGo.promise;
  });
  await holding.promise;
  const one = db.transaction().execute(first);
  await until('the first one waits', async () => (await lockWaiters(fixture)) >= 1);
  const other = db.transaction().execute(second);
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
  await enqueueCommandTask(db, { import_id: id, run: 1 }, { task: 'apply-command', command, total: 3 });
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
