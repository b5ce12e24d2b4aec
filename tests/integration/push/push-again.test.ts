import { wasEditedAfterPush } from '@draftshelf/core/review/commands/edits-since';
import { pauseImport, pushImport, resumeImport } from '@draftshelf/core/work/import-actions';
import { afterEach, describe, expect } from 'vitest';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong, scenarioBackends } from '../../support/queue-backend.ts';
import { pushers, testsOnBackends, type WorkerStack } from '../../support/test.ts';

const backends = testsOnBackends(pushers, scenarioBackends());
let stack: WorkerStack;
const { read, reach, push, retry, edit, importOf, calls, productsNamed, outcomes } = pushSteps(() => stack);

/** The store refuses the next requests of this kind as too large. */
const refuse = (times: number) =>
  stack.store.fault({ kind: 'status', status: 413, operation: 'productSet', times });

describe.each(backends)('a push that continues later, jobs in $backend', ({ it }) => {
  it.beforeAll(({ stack: shared }) => {
    stack = shared;
  });
  afterEach(() => stack.store.clearFaults());

  it('sends only what failed when a completed import is retried', async () => {
    const { id } = await importOf(productCsv(7).replaceAll('Vase', 'Again'), '1a'.repeat(32));
    await refuse(2);
    await push(id, 2);
    expect(await reach(id, 'completed')).toMatchObject({ created: 5, failed: 2, error_count: 2 });
    const failed = (await outcomes(id)).filter(({ outcome }) => outcome === 'failed');
    expect(failed).toHaveLength(2);
    const before = await calls();
    await retry(id, 2);
    expect(await reach(id, 'completed')).toMatchObject({
      created: 7,
      failed: 0,
      push_total: 2,
      push_done: 2,
      push_run: 2,
      error_count: 0,
    });
    expect(await calls()).toBe(before + 2);
    const again = await stack.database.db
      .selectFrom('outcomes')
      .select('product')
      .where('import_id', '=', id)
      .where('run', '=', 2)
      .orderBy('product')
      .execute();
    expect(again.map(({ product }) => product)).toEqual(failed.map(({ product }) => product));
    expect(await productsNamed('Again')).toHaveLength(7);
    const runs = await stack.database.db
      .selectFrom('runs')
      .select(['stage', 'kind', 'options'])
      .where('import_id', '=', id)
      .orderBy('started_at')
      .execute();
    expect(runs).toEqual([
      { stage: 'parse', kind: 'full', options: null },
      { stage: 'push', kind: 'full', options: null },
      { stage: 'push', kind: 'retry', options: { onlyOutcomes: ['failed'] } },
    ]);
  });

  it('also retries skipped products if nothing was stored', async () => {
    const csv = csvOf([
      ['Title', 'Price'],
      ['Second try', '10'],
      ['Second without a price', ''],
    ]);
    const { id } = await importOf(csv, '2b'.repeat(32));
    await refuse(1);
    await push(id);
    expect(await reach(id, 'failed')).toMatchObject({ failed_in: 'push', failed: 1, skipped: 1 });
    await edit(id, 2, { price: '12' });
    await retry(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 2, failed: 0, skipped: 0, push_total: 2 });
  });

  it.runIf(isLong)('ends in review if a product outside of the retry was edited meanwhile', async () => {
    const { id } = await importOf(productCsv(5).replaceAll('Vase', 'Kept'), '3c'.repeat(32));
    await refuse(1);
    await push(id, 1);
    expect(await reach(id, 'completed')).toMatchObject({ created: 4, failed: 1 });
    const [failed] = (await outcomes(id)).filter(({ outcome }) => outcome === 'failed');
    const edited = failed?.product === 5 ? 4 : 5;
    await stack.store.fault({ kind: 'delay', delayMs: 8_000, operation: 'productSet' });
    const before = await calls();
    await retry(id);
    await until('the failed product is on its way', async () => (await calls()) > before);
    await edit(id, edited, { title: 'Kept, but changed' });
    // As after a re-read with other row numbers: an edit is found by its offset.
    await stack.database.db.updateTable('edits').set({ row: 99 }).where('import_id', '=', id).execute();
    expect(await reach(id, 'processed', 'completed')).toMatchObject({ status: 'processed', created: 5 });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, updated: 1, unchanged: 4 });
  });

  it('has nothing left to push if an edit after it was undone', async () => {
    const { id } = await importOf(productCsv(2).replaceAll('Vase', 'Undone'), '3d'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    const wasEdited = () => wasEditedAfterPush(stack.database.db, id, 0);
    expect(await wasEdited()).toBe(false);
    await edit(id, 2, { title: 'Not undone' });
    expect(await wasEdited()).toBe(true);
    await edit(id, 2, { title: null });
    expect(await wasEdited()).toBe(false);
  });

  it.runIf(isLong)(
    'pauses by itself while the store refuses requests for long, and the sweep resumes no other pause',
    async () => {
      const byOperator = await importOf(productCsv(1).replaceAll('Vase', 'Paused by hand'), '4d'.repeat(32));
      const byStore = await importOf(productCsv(1).replaceAll('Vase', 'Paused by store'), '5e'.repeat(32));
      await stack.store.fault({ kind: 'status', status: 423, retryAfter: '900', operation: 'productSet' });
      await push(byStore.id);
      const paused = await reach(byStore.id, 'paused');
      expect(paused).toMatchObject({
        paused_by: 'store',
        paused_from: 'uploading',
        waiting_for: 'The store is frozen or locked.',
      });
      const waitMs = (paused.resume_at?.getTime() ?? 0) - Date.now();
      expect(waitMs).toBeGreaterThan(800_000);
      expect(waitMs).toBeLessThanOrEqual(900_000);

      // Without a pause, so that the push has not ended before.
      await stack.database.db.transaction().execute(async (trx) => {
        await pushImport(trx, byOperator.id, 25, { supplier: null });
        await pauseImport(trx, byOperator.id);
      });
      await stack.database.db
        .updateTable('imports')
        .set({ resume_at: new Date(0) })
        .where('id', 'in', [byOperator.id, byStore.id])
        .execute();
      expect(await reach(byStore.id, 'completed')).toMatchObject({
        created: 1,
        paused_by: null,
        resume_at: null,
      });
      expect(await read(byOperator.id)).toMatchObject({ status: 'paused', paused_by: 'operator' });
      await stack.database.db.transaction().execute((trx) => resumeImport(trx, byOperator.id));
      expect(await reach(byOperator.id, 'completed')).toMatchObject({ created: 1 });
    },
  );

  it.runIf(isLong)('waits visibly, without a pause, if the store asks for a few seconds', async () => {
    const { id } = await importOf(productCsv(1).replaceAll('Vase', 'Briefly'), '6f'.repeat(32));
    await stack.store.fault({ kind: 'status', status: 423, retryAfter: '8.5', operation: 'productSet' });
    await push(id);
    let waiting = await read(id);
    await until('it waits', async () => {
      waiting = await read(id);
      return waiting.waiting_for !== null;
    });
    expect(waiting).toMatchObject({
      status: 'uploading',
      waiting_for: 'The store is frozen or locked.',
      waiting_until: expect.any(Date),
    });
    expect(await reach(id, 'completed')).toMatchObject({ created: 1, waiting_for: null });
  });
});
