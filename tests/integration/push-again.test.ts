import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queueBackends } from '../line/queue-backend.ts';
import { type Line, startLine } from '../line/start-line.ts';
import { productCsv, until } from './fixtures.ts';
import { pushSteps } from './push-steps.ts';

let line: Line;
const { reach, push, retry, edit, importOf, calls, outcomes } = pushSteps(() => line);

/** The store refuses the next requests of this kind as too large, whatever is in them. */
const refuse = (times: number) =>
  line.store.fault({ kind: 'status', status: 413, operation: 'productSet', times });

describe.each(queueBackends())('a push that goes on later, jobs in %s', (backend) => {
  beforeAll(async () => {
    line = await startLine({ backend });
  });
  afterEach(() => line.store.clearFaults());
  afterAll(() => line?.close());

  it('ends in review when a product that the retry does not take was edited meanwhile', async () => {
    const { id } = await importOf(productCsv(5).replaceAll('Vase', 'Kept'), '3c'.repeat(32));
    await refuse(1);
    await push(id, 1);
    expect(await reach(id, 'completed')).toMatchObject({ created: 4, failed: 1 });
    const [failed] = (await outcomes(id)).filter(({ outcome }) => outcome === 'failed');
    const edited = failed?.product === 5 ? 4 : 5;
    await line.store.fault({ kind: 'delay', delayMs: 1_000, operation: 'productSet' });
    const before = await calls();
    await retry(id);
    await until('the failed product is on its way', async () => (await calls()) > before);
    await edit(id, edited, { title: 'Kept, but changed' });
    // As after a re-read that numbers rows anew: what an edit is about is told by its offset.
    await line.database.db.updateTable('edits').set({ row: 99 }).where('import_id', '=', id).execute();
    expect(await reach(id, 'processed', 'completed')).toMatchObject({ status: 'processed', created: 5 });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, updated: 1, unchanged: 4 });
  });
});
