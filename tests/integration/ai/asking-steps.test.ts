import {
  changeAiService,
  countAiFailure,
  pauseAiService,
  readAiPause,
  readAiService,
  readAiUseToday,
} from '@draftshelf/core/enrich/ai/service';
import { failTask } from '@draftshelf/core/work/fail-import';
import { beforeEach, expect, onTestFinished } from 'vitest';
import { createAskAiTask } from '../../../apps/enrich-worker/src/ask-ai.ts';
import { startAi } from '../../support/ai.ts';
import { askingSteps, failure, mugs, target } from '../../support/asking-steps.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();
const { next, reset, importOf, begun, callOf, store, asking, asks } = askingSteps(() => fixture);
beforeEach(reset);

it('a call without an answer is repeated about half of its products', async () => {
  const id = await importOf(['Blue Mug', 'Green Mug', 'Red Mug', 'Gray Mug', 'White Mug']);
  const chunk = await begun(id);
  for (const size of [5, 2, 1]) {
    const call = await callOf(chunk);
    expect(call.ids.size).toBe(size);
    await store(call, failure);
    await fixture.database.pool.query('update ai_asks set not_before = null');
  }
  expect(await asks(id)).toMatchObject({ wanted: 5, failed: 0 });
});

it('a service that refuses each form in turn is asked five times', async () => {
  const id = await importOf(['Blue Mug']);
  const chunk = await begun(id);
  for (const tokenParameter of ['max_completion_tokens', 'max_tokens'] as const) {
    for (const structure of ['schema', 'object'] as const) {
      await store(await callOf(chunk), { kind: 'manner', manner: { structure, tokenParameter } });
    }
  }
  await store(await callOf(chunk), {
    kind: 'manner',
    manner: { structure: 'text', tokenParameter: 'max_tokens' },
  });
  expect(await next(chunk)).toBe('done');
  expect(await asks(id)).toMatchObject({ failed: 1 });
});

it('a service that counts any number of tokens is in trouble, and its use is still counted', async () => {
  const { db } = fixture.database;
  const chunk = await begun(await importOf(['Blue Mug']));
  const call = await callOf(chunk);
  await store(call, mugs(call, { in: 2 ** 31 - 1, out: 2 ** 31 - 1 }));
  expect(await readAiService(db)).toMatchObject({ trouble: expect.stringContaining('more tokens') });
  expect(await readAiUseToday(db)).toMatchObject({ tokens: 2 ** 32 - 2 });
  expect(await next(chunk)).toBe('done');
});

it('a stored answer that cannot be checked is refused, and the next ones are used', async () => {
  const id = await importOf(['Blue Mug', 'Green Mug']);
  const chunk = await begun(id);
  const call = await callOf(chunk);
  await store(call, mugs(call));
  await fixture.database.pool.query("update ai_answers set answer = '{}' where hash = $1", [
    [...call.ids.values()][0]?.hash,
  ]);
  expect(await next(chunk)).toBe('done');
  expect(await asking(id)).toMatchObject({ state: 'done', proposals: 1, refused: { malformed: 1 } });
  expect(await asks(id)).toMatchObject({ answered: 2 });
});

it('a call whose worker was killed counts with the most that it may have taken', async () => {
  const { db, pool } = fixture.database;
  const id = await importOf(['Blue Mug']);
  const chunk = await begun(id);
  await callOf(chunk);
  const { tokens } = await readAiUseToday(db);
  expect(tokens).toBeGreaterThan(100);
  await pool.query("update ai_asks set asked_at = asked_at - interval '1 hour'");
  expect((await callOf(chunk)).ids.size).toBe(1);
  expect(await readAiUseToday(db)).toMatchObject({ requests: 2, tokens: 2 * tokens });
  const { rows } = await pool.query('select outcome from ai_calls order by id');
  expect(rows).toEqual([{ outcome: 'lost' }, { outcome: null }]);
});

it('a dead task ends the asking of its import', async () => {
  const { db } = fixture.database;
  const id = await importOf(['Blue Mug']);
  const chunk = await begun(id, { scope: { kind: 'rows', rows: [1] } });
  await db.transaction().execute((trx) => failTask(trx, chunk, 'Broken'));
  expect(await asking(id)).toMatchObject({ state: 'stopped', reason: expect.stringContaining('Ask again') });
  expect(await asks(id)).toMatchObject({ wanted: 0 });
});

it('failures never shorten the pause that a service has named, and any answer ends their row', async () => {
  const { db } = fixture.database;
  await pauseAiService(db, 3_600_000, 'quota');
  for (let count = 0; count < 5; count += 1) await countAiFailure(db);
  expect((await readAiPause(db))?.waitMs).toBeGreaterThan(3_000_000);
  await changeAiService(db, { blocked_until: null });
  const call = await callOf(await begun(await importOf(['Blue Mug'])));
  await store(call, { kind: 'cut', usage: null });
  expect(await readAiService(db)).toMatchObject({ failures: 0 });
});

it('a limit of a day below a single request ends the asking', async () => {
  const id = await importOf(['Blue Mug']);
  await changeAiService(fixture.database.db, { tokens_per_day: 1_000 });
  expect(await next(await begun(id))).toBe('done');
  expect(await asking(id)).toMatchObject({
    state: 'stopped',
    reason:
      'One request could exceed the limit of 1,000 tokens per day. Raise the limit in Settings. 1 product wasn’t asked about.',
  });
});

it('calls that were made before prices were set count by the prices of now', async () => {
  const { db } = fixture.database;
  const call = await callOf(await begun(await importOf(['Blue Mug'])));
  await store(call, mugs(call, { in: 2_000, out: 500 }));
  expect(await readAiUseToday(db)).toMatchObject({ cost: null });
  await changeAiService(db, { price_in: 1_000, price_out: 4_000, currency: 'USD' });
  expect((await readAiUseToday(db)).cost).toBeCloseTo(4);
});

it('nothing is sent after the time until which the limits count a call', async () => {
  const { db } = fixture.database;
  const ai = await startAi();
  onTestFinished(ai.close);
  const service = { ...target, baseUrl: ai.url, key: null, allowedOrigins: [new URL(ai.url).origin] };
  const task = createAskAiTask({ find: async () => ({ ...service, source: 'saved' }) });
  const chunk = await begun(await importOf(['Blue Mug']), { target: service });
  let taken = await task.take(db, chunk);
  while (taken === 'more') taken = await task.take(db, chunk);
  if (typeof taken !== 'object' || !('call' in taken)) throw new Error('No call');
  const { signal } = new AbortController();
  const late = { ...taken.call, endsAtMs: performance.now() - 1 };
  expect(await task.call(late, signal)).toMatchObject({ reply: { kind: 'stopped' } });
  expect(await ai.journal()).toEqual([]);
  expect(await task.call(taken.call, signal)).toMatchObject({ reply: { kind: 'answer' } });
});
