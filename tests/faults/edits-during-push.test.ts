import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { pauseImport, pushImport, resumeImport } from '@draftshelf/core/work/import-actions';
import { expect } from 'vitest';
import { editRow } from '../support/edit-row.ts';
import { productCsv, storedImport, until } from '../support/fixture.ts';
import { pushers, testOnWorkers, type WorkerStack } from '../support/test.ts';

const it = testOnWorkers(pushers);
let stack: WorkerStack;
it.beforeAll(({ stack: shared }) => {
  stack = shared;
});

const inTransaction = <T>(work: (trx: WorkerStack['database']['db']) => Promise<T>): Promise<T> =>
  stack.database.db.transaction().execute((trx) => work(trx));

async function reach(id: string, ...statuses: string[]): Promise<ImportRecord> {
  let record: ImportRecord | undefined;
  await until(`${statuses.join(' or ')}`, async () => {
    record = await findImport(stack.database.db, id);
    return record !== undefined && statuses.includes(record.status);
  });
  if (!record) throw new Error('The import is gone');
  return record;
}

async function processed(csv: string): Promise<string> {
  const { id } = await storedImport(stack, { csv });
  await reach(id, 'processed');
  return id;
}

const sendingOf = () =>
  stack.database.db.selectFrom('listings').select('our_id').where('sending', 'is not', null).execute();

const titlesWith = async (word: string) =>
  (await stack.store.products())
    .map(({ title }) => title)
    .filter((title) => title.includes(word))
    .sort();

it('an edit made after a chunk has read its rows is not lost: the import still has to be pushed', async () => {
  const id = await processed(productCsv(2).replaceAll('Vase', 'Late').replaceAll('V-', 'Late-'));
  const asked = async () => (await stack.store.stats()).requests.productByIdentifier ?? 0;
  const before = await asked();
  await stack.store.fault({ kind: 'delay', delayMs: 2000, operation: 'productByIdentifier' });
  await inTransaction((trx) => pushImport(trx, id, 25, { supplier: null }));
  await until('the rows are read, and the store is asked', async () => (await asked()) > before);
  expect(await sendingOf()).toEqual([]);
  const edited = await inTransaction((trx) => editRow(trx, id, 2, { title: 'Late but not lost' }));
  expect(edited.ok).toBe(true);
  expect(await reach(id, 'completed', 'processed', 'queued')).toMatchObject({
    status: 'processed',
    created: 2,
  });
  await inTransaction((trx) => pushImport(trx, id, 25, { supplier: null }));
  expect(await reach(id, 'completed')).toMatchObject({ updated: 1, unchanged: 1 });
  expect(await titlesWith('Late')).toEqual(['Late 1', 'Late but not lost']);
});

it('a draft that was edited after its answer was lost is updated to the edit', async () => {
  const id = await processed(productCsv(1).replaceAll('Vase', 'Lost').replaceAll('V-', 'Lost-'));
  await stack.store.fault({ kind: 'drop-after', operation: 'productSet' });
  await inTransaction((trx) => pushImport(trx, id, 25, { supplier: null }));
  await until('the answer is lost', async () => (await titlesWith('Lost')).length === 1);
  await until('its chunk waits', async () => (await findImport(stack.database.db, id))?.waiting_for !== null);
  expect((await inTransaction((trx) => pauseImport(trx, id))).ok).toBe(true);
  expect((await sendingOf()).length).toBe(1);
  expect((await inTransaction((trx) => editRow(trx, id, 1, { title: 'Lost and found' }))).ok).toBe(true);
  await inTransaction((trx) => resumeImport(trx, id));
  expect(await reach(id, 'completed', 'failed', 'processed', 'queued')).toMatchObject({
    status: 'completed',
  });
  expect(await titlesWith('Lost')).toEqual(['Lost and found']);
  const effects = await stack.database.db
    .selectFrom('ledger')
    .select('effect')
    .where('import_id', '=', id)
    .execute();
  expect(effects.map(({ effect }) => effect)).toEqual(['created', 'updated']);
});
