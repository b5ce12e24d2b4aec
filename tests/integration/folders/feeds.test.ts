import { expect } from 'vitest';
import { feedSteps } from '../../support/feed-steps.ts';
import { csvOf } from '../../support/fixture.ts';
import { startListServer } from '../../support/list-server.ts';
import { test as base } from '../../support/test.ts';

const test = base.extend('fetching', async ({ fixture }, { onCleanup }) => {
  await fixture.database.pool.query('delete from imports');
  await fixture.database.pool.query('delete from feeds');
  const server = await startListServer();
  onCleanup(server.close);
  return { server, ...feedSteps(fixture, { allowedOrigins: [server.origin] }) };
});

const listOf = (prices: Record<string, string>): string =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Object.entries(prices).map(([sku, price]) => [`Soap ${sku}`, price, sku]),
  ]);

test('a test shows the first rows and begins no import; the saved address brings one', async ({
  fetching,
}) => {
  const { server, ...steps } = fetching;
  server.serve('/list.csv', listOf({ A: '1.50', B: '2.50' }));
  const tested = await steps.test(`${server.origin}/list.csv?token=geheim`);
  expect(tested).toMatchObject({
    state: 'test',
    trouble: null,
    shown: `${server.origin}/list.csv?…`,
    preview: {
      filename: 'list.csv',
      rows: 2,
      products: 2,
      columns: [
        { header: 'Title', field: 'title' },
        { header: 'Price', field: 'price' },
        { header: 'SKU', field: 'sku' },
      ],
      records: [
        ['Soap A', '1.50', 'A'],
        ['Soap B', '2.50', 'B'],
      ],
      compared: null,
    },
  });
  expect(await steps.imports()).toEqual([]);

  const { id, supplier } = await steps.add(`${server.origin}/list.csv?token=geheim`, 'Acme');
  await steps.fetch(supplier);
  const [record] = await steps.imports();
  expect(record).toMatchObject({
    filename: 'list.csv',
    source: 'address',
    source_path: `${server.origin}/list.csv?…`,
    auto_mode: 'manual',
    status: 'processing',
    total_products: 2,
  });
  expect(await steps.find(id)).toMatchObject({ trouble: null, failures: 0, last_import: record?.id });
  expect(await steps.fetches(id)).toMatchObject([{ result: 'taken', import_id: record?.id }]);
});
