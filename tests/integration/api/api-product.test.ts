import type { Row, ShownProduct } from '@draftshelf/contract/review/rows';
import { listedProductRowsMax } from '@draftshelf/contract/wire';
import { readProductRows } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { buildDraftProduct } from '@draftshelf/domain/products/draft-product';
import { describe, expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { read, processed } = importSteps(() => stack);

type EditBody = { values: object; expected?: object };
const edit = (id: string, row: number, body: EditBody) =>
  stack.api.call('PATCH', `/api/queue/${id}/rows/${row}`, { body });

async function productOf(id: string, product: number, query = ''): Promise<ShownProduct> {
  const { status, body } = await stack.api.call('GET', `/api/queue/${id}/products/${product}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as ShownProduct;
}

async function rowsOf(id: string): Promise<Row[]> {
  const { body } = await stack.api.call('GET', `/api/queue/${id}/rows`);
  return (body as { rows: Row[] }).rows;
}

/** The edits of an import as stored: field, value before, value after. */
async function historyOf(id: string) {
  const { rows } = await stack.database.pool.query(
    'select field, before, after from edits where import_id = $1 order by id',
    [id],
  );
  return rows.map(({ field, before, after }) => [field, before, after]);
}

/** One product with every row key of the specification that an edit can set. */
const everyField = {
  'Shopify Title': 'Lamp',
  'Enhanced Description': 'A lamp',
  'Shopify Price': '10',
  'Compare Price': '20',
  Cost: '5',
  Brand: 'Acme',
  UPC: '036000291452',
  'Product Image': 'https://images.example/lamp.jpg',
  Category: 'Lighting',
  Collections: 'Decor',
  Tags: 'old',
  'Product Status': 'Published',
  'Item #': 'I-1',
  TCIN: '123',
  Origin: 'Target',
  'Point of Sale': 'Online',
  Qty: '3',
  'Track Quantity': 'yes',
  'Continue Selling': 'no',
};
const everyFieldCsv = csvOf([Object.keys(everyField), Object.values(everyField)]);

const variants = csvOf([
  ['Handle', 'Title', 'Vendor', 'Option1 Name', 'Option1 Value', 'Variant Price', 'SKU'],
  ['lamp', 'Lamp', 'Acme', 'Size', 'S', '10', 'L-S'],
  ['vase', 'Vase', 'Acme', '', '', '7', 'V-1'],
  ['lamp', '', '', '', 'M', '12', 'L-M'],
  ['lamp', '', '', '', 'L', '14', 'L-L'],
]);

describe('an edit with the values that were shown', () => {
  test('is saved if they are still the values', async () => {
    const id = await processed(everyFieldCsv);
    const saved = await edit(id, 1, {
      values: { title: 'Floor lamp', weight: '2' },
      expected: { title: 'Lamp', weight: null, price: '10' },
    });
    expect(saved).toMatchObject({
      status: 200,
      body: {
        row: { values: { title: 'Floor lamp', weight: '2' }, sources: { title: 'edit', weight: 'edit' } },
      },
    });
    expect(await historyOf(id)).toEqual([
      ['title', 'Lamp', 'Floor lamp'],
      ['weight', null, '2'],
    ]);
  });

  test('is a conflict that saves nothing if one has changed; the reply has the values now', async () => {
    const id = await processed(everyFieldCsv.replace('Lamp', 'Light'));
    await edit(id, 1, { values: { price: '12', vendor: '' } });
    const before = await historyOf(id);
    const refused = await edit(id, 1, {
      values: { title: 'Mine', price: '11', vendor: 'Mine' },
      expected: { title: 'Light', price: '10', vendor: 'Acme' },
    });
    expect(refused).toEqual({
      status: 409,
      headers: expect.anything(),
      body: {
        code: 'conflict',
        message:
          'This product was changed after you opened it. Nothing was saved; choose which values to keep.',
        current: { price: '12', vendor: null },
      },
    });
    expect(await historyOf(id)).toEqual(before);
    expect((await rowsOf(id))[0]?.values).toMatchObject({ title: 'Light', price: '12' });
    const values = { title: 'Mine', price: '11' };
    expect(await edit(id, 1, { values, expected: { title: 'Light', price: '12' } })).toMatchObject({
      status: 200,
    });
    // Without expected values the last edit wins.
    expect(await edit(id, 1, { values: { price: '13' } })).toMatchObject({ status: 200 });
  });

  test('compares a field of the product with the product’s first row', async () => {
    const id = await processed(variants);
    const body = { values: { title: 'Big lamp', price: '15' }, expected: { title: 'Lamp', price: '14' } };
    expect(await edit(id, 4, body)).toMatchObject({
      status: 200,
      body: { row: { values: { price: '15' } } },
    });
    expect((await rowsOf(id))[0]?.values.title).toBe('Big lamp');
    expect(await edit(id, 3, { values: { title: 'x' }, expected: { title: 'Lamp' } })).toMatchObject({
      status: 409,
      body: { current: { title: 'Big lamp' } },
    });
  });
});

describe('a choice', () => {
  test.each([
    ['status', ['draft', 'active', 'archived'], ['Active', 'published', 'deleted']],
    ['trackQuantity', ['shopify', 'none'], ['yes', 'Shopify']],
    ['continueSelling', ['deny', 'continue'], ['true', 'allow']],
  ])('of %s is one of the specification’s', async (field, choices, others) => {
    const id = await processed(everyFieldCsv.replace('Lamp', `Lamp ${field}`));
    for (const value of [...choices, '', null]) {
      expect(await edit(id, 1, { values: { [field]: value } })).toMatchObject({ status: 200 });
    }
    const saved = await historyOf(id);
    for (const value of others) {
      expect(await edit(id, 1, { values: { [field]: value } })).toMatchObject({
        status: 400,
        body: {
          code: 'invalid',
          field: `values.${field}`,
          message: `The value must be one of ${choices.join(', ')}.`,
        },
      });
    }
    expect(await historyOf(id)).toEqual(saved);
  });
});

test('every edited field reaches the product that is pushed, and its history has before and after', async () => {
  const id = await processed(everyFieldCsv.replace('Lamp', 'Every lamp'));
  const values = {
    title: 'Floor lamp',
    description: 'Tall',
    price: '11',
    compareAtPrice: '22',
    cost: '6',
    vendor: 'Other',
    sku: 'S-9',
    upc: '4006381333931',
    image: 'https://images.example/floor.jpg',
    moreImages: 'https://images.example/side.jpg',
    type: 'Lamps',
    collections: 'Living room',
    tags: 'new, tall',
    status: 'archived',
    itemNumber: 'I-2',
    tcin: '456',
    origin: 'Walmart',
    pointOfSale: 'Canada',
    quantity: '8',
    trackQuantity: 'none',
    continueSelling: 'continue',
  };
  expect(await edit(id, 1, { values })).toMatchObject({ status: 200, body: { row: { values } } });
  const record = await read(id);
  const rows = await readProductRows(stack.database.db, currentRows(record), {
    firstProduct: 1,
    products: 1,
  });
  const options = { draftMode: false, importSource: 'test.csv', currency: 'CAD' };
  const draft = buildDraftProduct(
    rows.map((row) => row.values),
    options,
  );
  expect(draft).toEqual({
    ok: true,
    product: {
      title: 'Floor lamp',
      body_html: 'Tall',
      vendor: 'Other',
      product_type: 'Lamps',
      status: 'archived',
      published: false,
      published_scope: 'web',
      variants: [
        {
          title: 'Default Title',
          price: '11',
          compare_at_price: '22',
          cost: '6',
          sku: 'S-9',
          barcode: '4006381333931',
          inventory_quantity: 8,
          inventory_management: null,
          inventory_policy: 'continue',
        },
      ],
      tags: 'new, tall',
      images: [{ src: 'https://images.example/floor.jpg' }, { src: 'https://images.example/side.jpg' }],
      metafields: [
        ['import_source', 'test.csv'],
        ['upc', '4006381333931'],
        ['tcin', '456'],
        ['origin', 'Walmart'],
        ['point_of_sale', 'Canada'],
      ].map(([key, value]) => ({ namespace: 'scd', key, value, type: 'single_line_text_field' })),
      collections: ['Living room'],
    },
  });
  const history = new Map((await historyOf(id)).map(([field, before, after]) => [field, { before, after }]));
  expect(history.get('status')).toEqual({ before: 'Published', after: 'archived' });
  expect(history.get('tcin')).toEqual({ before: '123', after: '456' });
  expect([...history.keys()].sort()).toEqual(Object.keys(values).sort());
});

test('a compare-at price that is the price of all pieces is not sent after an edit of the price', async () => {
  const id = await processed(
    csvOf([
      ['Item Description', 'Qty', 'Unit Retail', 'Ext. Retail'],
      ['Rug', '8', '$129.00', '$1,032.00'],
      ['Tray', '2', '$34.50', '$69.00'],
    ]),
  );
  const sent = async () => {
    const of = currentRows(await read(id));
    const rows = await readProductRows(stack.database.db, of, { firstProduct: 1, products: 2 });
    const options = { draftMode: true, importSource: 'test.csv', currency: 'USD' };
    return rows.map(({ values }) => {
      const built = buildDraftProduct([values], options);
      return built.ok && built.product.variants.map((one) => [one.price, one.compare_at_price]);
    });
  };
  await edit(id, 1, { values: { price: '135' } });
  await edit(id, 2, { values: { quantity: '3' } });
  expect(await sent()).toEqual([[['135', null]], [['34.50', null]]]);
  expect((await rowsOf(id)).map(({ values }) => values.compareAtPieces)).toEqual(['8', '2']);
  await edit(id, 1, { values: { compareAtPrice: '149' } });
  expect(await sent()).toEqual([[['135', '149']], [['34.50', null]]]);
});

describe('the rows of a product', () => {
  test('are all its rows, also those that stand apart, with their unedited values and columns', async () => {
    const id = await processed(variants.replaceAll('Acme', 'Zenith'));
    await edit(id, 3, { values: { price: '13', vendor: 'Edited' } });
    const places = (await rowsOf(id)).map(({ row, product, ofProduct }) => ({ row, product, ofProduct }));
    expect(places).toEqual([
      { row: 1, product: 1, ofProduct: { place: 1, rows: 3 } },
      { row: 2, product: 2, ofProduct: null },
      { row: 3, product: 1, ofProduct: { place: 2, rows: 3 } },
      { row: 4, product: 1, ofProduct: { place: 3, rows: 3 } },
    ]);
    const product = await productOf(id, 1);
    expect(product).toMatchObject({ product: 1, totalRows: 3, first: { row: 1 } });
    expect(product.rows.map(({ row }) => row)).toEqual([1, 3, 4]);
    expect(product.rows[1]).toMatchObject({
      values: { price: '13' },
      sources: { price: 'edit' },
      unedited: { price: { value: '12', column: 'Variant Price' }, sku: { value: 'L-M', column: 'SKU' } },
    });
    expect(product.first).toMatchObject({
      values: { vendor: 'Edited' },
      unedited: { vendor: { value: 'Zenith', column: 'Vendor' } },
    });
    expect((await productOf(id, 2)).rows.map(({ row, ofProduct }) => [row, ofProduct])).toEqual([[2, null]]);
    for (const number of ['3', '0', 'x', '2147483648']) {
      const unknown = await stack.api.call('GET', `/api/queue/${id}/products/${number}`);
      expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('are at most 250 in one reply, from any row on', async () => {
    const sizes = Array.from({ length: 600 }, (_, at) => ['big', at === 0 ? 'Big' : '', `${at}`, '5']);
    const id = await processed(
      csvOf([['Handle', 'Title', 'Option1 Value', 'Price'], ['one', 'One', '', '5'], ...sizes]),
    );
    const { rows, totalRows, first } = await productOf(id, 2);
    expect({ rows: rows.length, totalRows, first: first.row }).toEqual({
      rows: listedProductRowsMax,
      totalRows: 600,
      first: 2,
    });
    const later = await productOf(id, 2, '?from=500');
    expect(later.first.row).toBe(2);
    expect([later.rows[0]?.row, later.rows.length, later.rows.at(-1)?.ofProduct]).toEqual([
      500,
      102,
      { place: 600, rows: 600 },
    ]);
    expect((await stack.api.call('GET', `/api/queue/${id}/products/2?from=0`)).status).toBe(400);
  });
});
