import { findImport } from '@draftshelf/core/imports/imports';
import { beginExpiredRemovals, type RetentionDays } from '@draftshelf/core/operate/remove-old';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);
const { read, reach, push, edit, calls, counted } = pushSteps(() => stack);

/** Without SKUs, so that only our ids keep a product from being made twice. */
const csv = (name: string) => `Title,Price\nKüche ${name},10\nVase ${name},\nSchüssel ${name},30\n`;

async function upload(text: string, encoding: string): Promise<string> {
  const answer = await stack.api.upload(csvForm(text, { before: { dialect: JSON.stringify({ encoding }) } }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { id: string }).id;
}

const countOf = async (table: string, id: string): Promise<number> => {
  const { rows } = await stack.database.pool.query(
    `select count(*)::int as count from ${table} where import_id = $1`,
    [id],
  );
  return rows[0].count;
};

const nothing: RetentionDays = { keepRowsDays: null, keepFilesDays: null };

/** Lets an import have ended a year ago. */
const age = (id: string) =>
  stack.database.pool.query(
    `update runs set completed_at = now() - interval '1 year' where import_id = $1 and stage = 'parse'`,
    [id],
  );

/** Removes the rows of imports that ended long ago, without waiting for downloads. */
async function removeRows(id: string): Promise<void> {
  await age(id);
  expect(await beginExpiredRemovals(stack.database, { ...nothing, keepRowsDays: 30 })).toBe(1);
  await stack.database.pool.query(
    `update chunks set not_before = null, deferred_at = null where task = 'retire-rows'`,
  );
  await until('the rows are removed', async () => (await countOf('rows', id)) === 0);
}

/** Pushes a file whose second product needs an edit; returns the import. */
async function pushed(name: string, encoding: string): Promise<string> {
  const id = await upload(csv(name), encoding);
  await reach(id, 'queued');
  await edit(id, 2, { price: '20' });
  await reach(id, 'processed');
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ created: 3 });
  await counted(id);
  return id;
}

/** Titles read in another encoding are updates. */
async function pushAgain(id: string): Promise<void> {
  await reach(id, 'processed');
  await push(id);
  const { updated, unchanged, ...others } = await reach(id, 'completed');
  await counted(id);
  expect(others).toMatchObject({ created: 0, skipped: 0, failed: 0 });
  expect(updated + unchanged).toBe(3);
}

test.runIf(isLong)('products of removed rows are found again, however the file is read', async () => {
  const first = await pushed('kept', 'utf-8');
  await removeRows(first);
  expect(await read(first)).toMatchObject({ status: 'completed', created: 3, total_rows: 3 });
  const { products } = await stack.store.stats();
  const asItIs = await upload(csv('kept'), 'utf-8');
  await pushAgain(asItIs);
  await removeRows(asItIs);
  const transcribed = await upload(csv('kept'), 'gb18030');
  await pushAgain(transcribed);
  // Its offsets are not those of the bytes that it scanned: they have to be carried over again.
  await removeRows(transcribed);
  await pushAgain(await upload(csv('kept'), 'big5'));
  const reread = await stack.api.call('POST', `/api/queue/${transcribed}/read-again`);
  expect(reread.status).toBe(200);
  await pushAgain(transcribed);
  expect(await read(transcribed)).toMatchObject({ rows_removed_at: null, edits_without_row: 0 });
  expect((await stack.store.stats()).products).toBe(products);
});

test('products of a deleted import are found again, however the file is read', async () => {
  const first = await pushed('gone', 'utf-8');
  const { products } = await stack.store.stats();
  expect((await stack.api.call('DELETE', `/api/queue/${first}`)).status).toBe(200);
  await until('the import is gone', async () => (await findImport(stack.database.db, first)) === undefined);
  const again = await upload(csv('gone'), 'gb18030');
  await reach(again, 'queued');
  await edit(again, 2, { price: '20' });
  await pushAgain(again);
  expect((await stack.store.stats()).products).toBe(products);
});

test('a product that was on its way to the store is recorded before its cancelled import is deleted', async () => {
  const id = await upload('Title,Price\nOn its way,10\n', 'utf-8');
  await reach(id, 'processed');
  const before = await calls();
  await stack.store.fault({ kind: 'delay', delayMs: 6_000, operation: 'productSet' });
  await push(id);
  await until('it is on its way', async () => (await calls()) > before);
  expect((await stack.api.call('POST', `/api/queue/${id}/cancel`)).status).toBe(200);
  expect((await stack.api.call('DELETE', `/api/queue/${id}`)).status).toBe(200);
  await until('the import is gone', async () => (await findImport(stack.database.db, id)) === undefined);
  const { rows } = await stack.database.pool.query(
    `select ledger.store_product_id is not null as recorded, sending from ledger join listings using (shop, our_id)
     where ledger.import_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ recorded: true, sending: null }]);
});
