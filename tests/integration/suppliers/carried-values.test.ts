import type { FinalizeProgress } from '@draftshelf/database/connection/schema';
import { readRowPage } from '@draftshelf/database/review/effective-rows';
import { lockRows } from '@draftshelf/database/review/rows-lock';
import { currentRows } from '@draftshelf/database/work/runs';
import { carryValues } from '@draftshelf/imports/suppliers/carry-values';
import { keepValues } from '@draftshelf/imports/suppliers/keep-values';
import { expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, testOnWorkers, type WorkerStack } from '../../support/test.ts';

const it = testOnWorkers(readers);
let stack: WorkerStack;
const { processed, read } = importSteps(() => stack);
it.beforeAll(({ stack: shared }) => {
  stack = shared;
});

const list = (prices: Record<string, string>) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Object.entries(prices).map(([sku, price]) => [`Vase ${sku}`, price, sku]),
  ]);

async function newSupplier(): Promise<number> {
  const { rows } = await stack.database.pool.query(
    `insert into suppliers (name) values ('Acme') returning id`,
  );
  return rows[0].id;
}

async function nextList(supplier: number, csv: string): Promise<string> {
  const id = await processed(csv);
  await stack.database.pool.query('update imports set supplier = $2 where id = $1', [id, supplier]);
  const progress = {
    at: 0,
    supplier: { id: supplier },
    carried: { command: null, undo: null },
  } as never as FinalizeProgress;
  for (const step of [keepValues, carryValues]) {
    progress.at = 0;
    for (let ended = false; !ended; ) {
      ended = await stack.database.db.transaction().execute(async (db) => {
        await lockRows(db, id);
        const record = await read(id);
        return step({ db, record, of: currentRows(record), progress });
      });
    }
  }
  return id;
}

async function edit(id: string, row: number, values: Record<string, string | null>): Promise<string> {
  const answer = await stack.api.call('PATCH', `/api/queue/${id}/rows/${row}`, { body: { values } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { command: string }).command;
}

async function pricesOf(id: string) {
  const rows = await readRowPage(stack.database.db, currentRows(await read(id)), { after: 0, limit: 100 });
  return rows.map(({ values, leftOut }) => (leftOut ? 'out' : values.price));
}

it('carries an edit into the next list', async () => {
  const supplier = await newSupplier();
  const march = await nextList(supplier, list({ A: '12.00', B: '12.00', C: '12.00', D: '12' }));
  for (const row of [1, 2, 3]) await edit(march, row, { price: '14.40' });
  const april = await nextList(supplier, list({ A: '12.00', B: '13.00', C: '14.4', D: '12', E: '9' }));
  expect(await pricesOf(april)).toEqual(['14.40', '14.40', '14.4', '12', '9']);
  const { body } = await stack.api.call('GET', `/api/queue/${april}/proposals`);
  expect((body as { proposals: object[] }).proposals).toMatchObject([
    { row: 2, field: 'price', before: '14.40', value: '13.00', evidence: 'was 12', sourceName: 'supplier' },
  ]);
});
