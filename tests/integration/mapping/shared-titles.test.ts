import type { JobWithRows } from '@draftshelf/contract/imports/imports';
import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { readProductRows } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { buildDraftProduct } from '@draftshelf/domain/products/draft-product';
import { expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { call, processed, read } = importSteps(() => stack);

async function factOf(id: string) {
  const { job } = await call<{ job: JobWithRows }>('GET', `/api/queue/${id}?rows=0`);
  return job.beforePush?.facts.find(({ kind }) => kind === 'shared-titles');
}
async function reread(id: string, mapping: object): Promise<void> {
  const { rows_run } = await read(id);
  await call('PUT', `/api/queue/${id}/mapping`, mapping);
  await until('it is read again', async () => {
    const record = await read(id);
    return record.rows_run > rows_run && ['queued', 'processed'].includes(record.status);
  });
}

const headers = ['ordernumber', 'price', '_name', '_additionaltext', '_supplier'];
const file = csvOf([
  headers,
  ['GT-1', '7.50', 'Cushion', '40 cm', 'Heide'],
  ['GT-2', '12.00', 'Candle', '', 'Wachs'],
  ['GT-3', '9.50', 'cushion', '50 cm', 'Heide'],
  ['GT-4', '9.50', 'Cushion', '60 cm', 'Another'],
]);

test('new products of one title are a fact, and are combined as variants by a re-read that can be taken back', async () => {
  // Its supplier begins with it.
  const id = await processed(file, {});
  expect(await factOf(id)).toMatchObject({ count: 2, of: 'product', columns: ['_additionaltext'] });
  await call('PATCH', `/api/queue/${id}/rows/3`, { values: { price: '9.90' } });
  const mapping = { _additionaltext: 'option1Value' };
  const { before, after } = await call<RereadPreview>('POST', `/api/queue/${id}/reread-preview`, { mapping });
  expect([before?.valid, after?.valid]).toEqual([4, 3]);

  await reread(id, mapping);
  const record = await read(id);
  expect(record).toMatchObject({ total_rows: 4, total_products: 3, valid_products: 3 });
  const rows = await readProductRows(stack.database.db, currentRows(record), {
    firstProduct: 1,
    products: 1,
  });
  const draft = buildDraftProduct(
    rows.map(({ values }) => values),
    { draftMode: true, importSource: '', currency: 'CAD' },
  );
  expect(draft).toMatchObject({
    product: {
      title: 'Cushion',
      options: [{ name: 'additionaltext', values: ['40 cm', '50 cm'] }],
      variants: [
        { sku: 'GT-1', price: '7.50', option1: '40 cm' },
        { sku: 'GT-3', price: '9.90', option1: '50 cm' },
      ],
    },
  });
  expect(await factOf(id)).toBeUndefined();

  await reread(id, { _additionaltext: 'detect' });
  expect(await read(id)).toMatchObject({ total_products: 4, valid_products: 4 });
  expect(await factOf(id)).toMatchObject({ count: 2 });
});

test('rows of one SKU, and titles that nothing tells apart, are no fact', async () => {
  const same = csvOf([
    headers,
    ['SA-1', '7.50', 'Same', '40 cm', ''],
    ['SA-1', '7.50', 'Same', '50 cm', ''],
    ['SA-2', '7.50', 'Alike', 'red', ''],
    ['SA-3', '7.50', 'Alike', 'red', ''],
  ]);
  expect(await factOf(await processed(same))).toBeUndefined();
});

test('variants with columns of options, whose title every row repeats, are a fact and are combined', async () => {
  const id = await processed(
    csvOf([
      ['Product Name', 'SKU', 'Price', 'Option 1 Name', 'Option 1 Value'],
      ['Soy candle', 'FA-1', '20.00', 'Scent', 'Fig'],
      ['Soy candle', 'FA-2', '20.00', 'Scent', 'Sea salt'],
      ['Matches', 'FA-3', '8.00', '', ''],
    ]),
    {},
  );
  expect(await read(id)).toMatchObject({ total_products: 3 });
  expect(await factOf(id)).toMatchObject({ count: 2, of: 'product', columns: ['Option 1 Value'] });
  await reread(id, { 'Option 1 Value': 'option1Value' });
  expect(await read(id)).toMatchObject({ total_products: 2, valid_products: 2 });
  expect(await factOf(id)).toBeUndefined();
});
