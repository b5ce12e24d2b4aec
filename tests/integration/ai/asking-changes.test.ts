import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { endAsking } from '@draftshelf/core/enrich/ai/ai-imports';
import { admitNextAiCall } from '@draftshelf/core/enrich/ai/next-ai-call';
import {
  changeAiService,
  forgetSimulatedAi,
  lockAiService,
  newServiceChanges,
  readAiService,
  readAiUseToday,
} from '@draftshelf/core/enrich/ai/service';
import { beginExpiredRemovals } from '@draftshelf/core/operate/remove-old';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { deleteImport } from '@draftshelf/core/work/delete-import';
import { beforeEach, expect } from 'vitest';
import { askingSteps, failure, mugs, storeTitles, target } from '../../support/asking-steps.ts';
import { type Fixture, until } from '../../support/fixture.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();
const { begin, next, reset, importOf, begun, callOf, store, asking, asks } = askingSteps(() => fixture);
beforeEach(reset);

it('nothing of an earlier reading of the file is asked after the next request', async () => {
  const id = await importOf(['Blue Mug', 'Green Mug']);
  const chunk = await begun(id);
  await callOf(chunk);
  await begin(id, { scope: { kind: 'rows', rows: [1] }, fields: ['description'] });
  const { pool } = fixture.database;
  await pool.query(
    `insert into runs select (jsonb_populate_record(null::runs, to_jsonb(runs) || '{"run": 2}')).* from runs
     where import_id = $1`,
    [id],
  );
  await pool.query("update chunks set run = 2 where import_id = $1 and kind = 'work'", [id]);
  await storeTitles(fixture, id, 2, ['Red Mug', 'Gray Mug']);
  await pool.query('update imports set rows_run = 2 where id = $1', [id]);
  expect(await begin(id, { scope: { kind: 'rows', rows: [2] } })).toMatchObject({ ok: true, products: 1 });
  expect(await asking(id)).toMatchObject({ run: 2, fields: ['type'], collect_after: null });
  const { rows } = await pool.query(
    "select row, state, sent->>'title' as title from ai_asks where import_id = $1",
    [id],
  );
  expect(rows).toEqual([{ row: 2, state: 'wanted', title: 'Gray Mug' }]);
});

it('an answer is stored for the wishes that were sent, also if they changed after it was queued', async () => {
  const { db } = fixture.database;
  const chunk = await begun(await importOf(['Blue Mug']), { scope: { kind: 'rows', rows: [1] } });
  await changeAiService(db, { tone: 'Warm' });
  const call = await callOf(chunk);
  expect(call.request.system).toContain('Warm');
  await store(call, mugs(call));
  expect(await next(chunk)).toBe('done');
  await changeAiService(db, { tone: null });
  expect((await callOf(await begun(await importOf(['Blue Mug'])))).request.system).not.toContain('Warm');
  await changeAiService(db, { tone: 'Warm' });
  expect(await next(await begun(await importOf(['Blue Mug'])))).toBe('done');
});

it('nothing is asked about an import that is being deleted, or whose rows are removed', async () => {
  const { db, pool } = fixture.database;
  const removals = {
    'space, so asking AI was stopped.': async (id: string) => {
      await pool.query(
        `with changed as (update imports set status = 'completed' where id = $1)
       update runs set completed_at = now() - interval '1 year' where import_id = $1 and stage = 'parse'`,
        [id],
      );
      expect(await beginExpiredRemovals({ db }, { keepRowsDays: 30, keepFilesDays: null })).toBe(1);
    },
    'deleted, so asking AI was stopped.': async (id: string) => {
      expect(await db.transaction().execute((trx) => deleteImport(trx, id))).toMatchObject({ ok: true });
    },
  };
  for (const [reason, remove] of Object.entries(removals)) {
    const id = await importOf(['Blue Mug', 'Green Mug']);
    await begin(id, { scope: { kind: 'rows', rows: [1, 2] } });
    expect(await asks(id)).toMatchObject({ wanted: 2 });
    await remove(id);
    expect(await asking(id)).toMatchObject({ state: 'stopped', reason: expect.stringContaining(reason) });
    expect(await asks(id)).toMatchObject({ wanted: 0 });
    expect(await begin(id)).toMatchObject({ ok: false });
  }
});

it('another service is not asked what an operator asked the former one', async () => {
  const { db } = fixture.database;
  const id = await importOf(['Blue Mug']);
  const chunk = await begun(id);
  expect(await next(chunk, { ...target, model: 'other' })).toBe('done');
  expect(await asking(id)).toMatchObject({ state: 'stopped', reason: expect.stringContaining('Another AI') });
  expect(await asks(id)).toMatchObject({ wanted: 0 });
  expect(await readAiUseToday(db)).toMatchObject({ requests: 0 });
});

it('answers of the simulated service are not proposed once a real one is set', async () => {
  const { db } = fixture.database;
  const id = await importOf(['Blue Mug']);
  const chunk = await begun(id);
  const call = await callOf(chunk);
  await store(call, mugs(call));
  const { version } = await readAiService(db);
  await db.transaction().execute(forgetSimulatedAi);
  expect(await admitNextAiCall(db, chunk, { ...target, version, isSimulated: true })).toBe('more');
  expect(await asking(id)).toMatchObject({ proposals: 0 });
});

it('a late refusal of a former service says nothing about the one that is set now', async () => {
  const { db } = fixture.database;
  for (const reply of [{ kind: 'trouble', sentence: 'The AI service refused the key.' }, failure] as const) {
    const id = await importOf(['Blue Mug']);
    const call = await callOf(await begun(id));
    await changeAiService(db, newServiceChanges);
    await store(call, reply);
    expect(await readAiService(db)).toMatchObject({ trouble: null, failures: 0 });
    expect(await asks(id)).toMatchObject({ wanted: 1 });
  }
});

it('a smaller request leaves the fields and the progress of one about all products', async () => {
  const id = await importOf(['Blue Mug', 'Green Mug']);
  await begin(id, { fields: ['type', 'tags'] });
  await begin(id, { scope: { kind: 'rows', rows: [2] }, fields: ['vendor'] });
  expect(await asking(id)).toMatchObject({ fields: ['type', 'tags'], collect_after: 0 });
});

/** Whether a connection waits for a lock, also for one of rows, which is advisory. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await fixture.database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

/** Takes while other transactions hold the rows, then the service; `change` is made in the second one. */
async function takenAfter(chunk: ChunkRecord, change: (db: Fixture['database']['db']) => Promise<void>) {
  const { db } = fixture.database;
  const { version } = await readAiService(db);
  const isBlocked = () => until('blocked', isWaiting);
  let taken: ReturnType<typeof admitNextAiCall> | undefined;
  let second: Promise<void> | undefined;
  const free = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  await db.transaction().execute(async (rows) => {
    await lockRows(rows, chunk.import_id);
    taken = admitNextAiCall(db, chunk, { ...target, version, isSimulated: false });
    await isBlocked();
    second = db.transaction().execute(async (trx) => {
      await lockAiService(trx);
      isLocked.resolve();
      await free.promise;
      await change(trx as typeof db);
    });
    await isLocked.promise;
  });
  await isBlocked();
  free.resolve();
  await second;
  return taken;
}

it('a request that was stopped meanwhile queues nothing', async () => {
  const id = await importOf(['Blue Mug']);
  const chunk = await begun(id);
  expect(await takenAfter(chunk, (db) => endAsking(db, id, 'Stopped.'))).toBe('done');
  expect(await asks(id)).toMatchObject({ wanted: 0 });
});

it('a service that had trouble meanwhile is not asked', async () => {
  const chunk = await begun(await importOf(['Blue Mug']), { scope: { kind: 'rows', rows: [1] } });
  const trouble = 'The AI service refused the key.';
  expect(await takenAfter(chunk, (db) => changeAiService(db, { trouble }))).toBe('more');
});

it('only a request that begins to ask tries again after trouble', async () => {
  const { db, pool } = fixture.database;
  const id = await importOf(['Blue Mug']);
  const trouble = 'The AI service refused the key.';
  await changeAiService(db, { trouble });
  await pool.query("update imports set status = 'uploading' where id = $1", [id]);
  expect(await begin(id)).toMatchObject({ ok: false });
  expect(await readAiService(db)).toMatchObject({ trouble });
  await pool.query("update imports set status = 'processed' where id = $1", [id]);
  expect(await begin(id)).toMatchObject({ ok: true });
  expect(await readAiService(db)).toMatchObject({ trouble: null });
});

it('an answer about a title that was corrected meanwhile is used once the title is back', async () => {
  const { pool } = fixture.database;
  const id = await importOf(['Blue Mug']);
  const chunk = await begun(id);
  const call = await callOf(chunk);
  const rename = (title: string) =>
    pool.query(
      "update rows set title = $1, cells = json_build_array($1::text, '9.90', 'A') where import_id = $2",
      [title, id],
    );
  await rename('Blue Vase');
  await store(call, mugs(call));
  expect(await next(chunk)).toBe('done');
  expect(await asking(id)).toMatchObject({ proposals: 0 });
  await rename('Blue Mug');
  expect(await next(await begun(id))).toBe('done');
  expect(await asking(id)).toMatchObject({ state: 'done', proposals: 1 });
});
