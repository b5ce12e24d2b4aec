import { savePreferences } from '@draftshelf/core/access/preferences';
import { expect } from 'vitest';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';
import { comparableProduct } from '../../store/comparable-product.ts';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { itemsNow } from '../../support/items-now.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { refreshed } from '../../support/refreshed-rows.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { read, reach, push, outcomes, edit, calls } = pushSteps(() => stack);

it.beforeAll(async () => {
  await savePreferences(stack.database.db, { sendNonOverlapping: true });
});

type Lines = readonly (readonly string[])[];

async function uploaded(filename: string, lines: Lines, supplier?: string): Promise<string> {
  const before: Record<string, string> = supplier === undefined ? {} : { supplier };
  const { body } = await stack.api.upload(csvForm(csvOf(lines), { filename, before }));
  const { id } = body as { id: string };
  await reach(id, 'processed', 'queued');
  return id;
}

async function pushed(id: string): Promise<string> {
  await push(id);
  await reach(id, 'completed', 'failed');
  return id;
}

/** Waits until a list has counted, and the next one is compared with it. */
async function counted(id: string): Promise<void> {
  await until('the list has counted', async () => {
    const list = await stack.database.db
      .selectFrom('supplier_lists')
      .select('state')
      .where('import_id', '=', id)
      .executeTakeFirst();
    return list?.state === 'counted';
  });
}

const catalogue = async () => (await stack.store.products()) as unknown as StoredProduct[];

/** Everything that the store has, by title, apart from the hash of our last write. */
async function storeNow(): Promise<Record<string, object>> {
  const products = (await catalogue()).map((product) => {
    const metafields = product.metafields.filter(({ key }) => key !== 'payload');
    return [product.title, comparableProduct({ ...product, metafields }, false)] as const;
  });
  return Object.fromEntries(products) as Record<string, object>;
}

type Variant = {
  sku: string;
  price: string;
  compareAtPrice: string | null;
  cost: string | null;
  stock: object;
};

/** The store with other values of some variants, by SKU. */
function withVariants(store: Record<string, object>, changes: Record<string, (one: Variant) => object>) {
  return Object.fromEntries(
    Object.entries(store).map(([title, product]) => {
      const variants = (product as { variants: Variant[] }).variants.map((one) => ({
        ...one,
        ...changes[one.sku]?.(one),
      }));
      return [title, { ...product, variants }];
    }),
  );
}

const columns = [
  ...['Handle', 'Title', 'Body', 'Vendor', 'Tags', 'Option1 Name', 'Option1 Value'],
  ...['SKU', 'UPC', 'Price', 'Compare Price', 'Cost', 'Quantity', 'Image'],
];
const shirt = (size: string, at: number, ...first: string[]) => [
  'shirt',
  ...(first.length > 0 ? first : ['', '', '', '']),
  ...['Size', size, `SHIRT-${size}`, ['4006381333931', '036000291452', '5901234123457'][at] ?? ''],
  ...[`${20 + at}.00`, '', '8.00', String(5 + at), ''],
];
const single = (title: string, sku: string, upc: string, price = '12.00') => [
  ...[title.toLowerCase(), title, `All about ${title}.`, 'Acme', 'home', '', ''],
  ...[sku, upc, price, '15.00', '6.00', '7', ''],
];
const full: Lines = [
  columns,
  shirt('S', 0, 'Shirt', 'A shirt.', 'Acme', 'wear'),
  shirt('M', 1),
  shirt('L', 2),
  single('Vase', 'VASE-1', '9780201379624'),
  single('Bowl', 'BOWL-1', '9780306406157'),
  single('Lost', 'LOST-1', '4012345678901'),
  single('Unsent', 'UNSENT-1', '4000417025005', 'ask'),
];

const details = async (id: string) => {
  const { body } = await stack.api.call('GET', `/api/queue/${id}?rows=0`);
  const { job } = body as {
    job: {
      list: { isPartial: boolean; notCompared: string | null } | null;
      beforePush: { facts: { kind: string; count: number }[] };
    };
  };
  return job;
};
const issuesOf = async (id: string) => {
  const { body } = await stack.api.call('GET', `/api/queue/${id}/rows`);
  const { rows } = body as { rows: { class: string; issues: { code: string }[] }[] };
  return rows.map((row) => [row.class, ...row.issues.map(({ code }) => code)].join(' '));
};

it('updates what a list of prices and stock names, of products that are known and in the store', async () => {
  const first = await uploaded('acme list.csv', full);
  await counted(await pushed(first));
  const lost = (await catalogue()).find(({ title }) => title === 'Lost');
  await stack.store.edit(lost?.id ?? 0, { deleted: true });
  const vase = (await catalogue()).find(({ title }) => title === 'Vase');
  await stack.store.edit(vase?.id ?? 0, { descriptionHtml: '<p>By the merchant.</p>', tags: ['sale'] });
  const before = await storeNow();
  const wrote = await calls();

  const prices: Lines = [
    ['Remark 1', 'SKU', 'Price', 'Quantity'],
    ['', 'shirt-M', '25.50', ''],
    ['', 'VASE-1', '13.00', '9'],
    ['', 'NEW-1', '5.00', '1'],
    ['', 'SHIRT-L', '', '3'],
    ['', 'LOST-1', '14.00', ''],
    ['', 'UNSENT-1', '14.00', ''],
  ];
  const id = await uploaded('acme list.csv', prices);
  expect(await issuesOf(id)).toEqual([
    'valid',
    'valid',
    'warning unknown-product',
    ...Array(3).fill('valid'),
  ]);
  expect(await read(id)).toMatchObject({
    total_products: 5,
    valid_products: 4,
    warning_products: 1,
    error_products: 0,
  });
  const { beforePush, list } = await details(id);
  expect(list).toMatchObject({ isPartial: true, notCompared: null });
  expect(beforePush.facts).toContainEqual(expect.objectContaining({ kind: 'unknown-product', count: 1 }));
  expect(beforePush.facts).not.toContainEqual(expect.objectContaining({ kind: 'no-column' }));

  const found = { field: 'title', value: 'Found by a look-up', source: 'rule' };
  await stack.database.db
    .insertInto('found_values')
    .values({ import_id: id, run: 1, row: 2, ...found })
    .execute();
  await refreshed(stack.database.db, id, [2]);
  await pushed(id);
  expect((await outcomes(id)).map(({ outcome, code }) => [outcome, code])).toEqual([
    ['updated', null],
    ['updated', null],
    ['skipped', 'unknown-product'],
    ['skipped', 'deleted-in-store'],
    ['skipped', 'not-in-store'],
  ]);
  const after = withVariants(before, {
    'SHIRT-M': () => ({ price: '25.50' }),
    'SHIRT-L': ({ stock }) => ({ stock: quantityOf(stock, 3) }),
    'VASE-1': ({ stock }) => ({ price: '13.00', stock: quantityOf(stock, 9) }),
  });
  expect(await storeNow()).toEqual(after);
  expect(await calls()).toBe(wrote + 2);

  await counted(id);
  const { rows: items } = await stack.database.pool.query(
    `select key, title, price, quantity, missed_since from ${itemsNow(stack.database)} order by key`,
  );
  expect(items.map(({ key, title, price, quantity }) => [key, title, price, quantity])).toEqual([
    ['s:BOWL-1', 'Bowl', 120_000, 7],
    ['s:LOST-1', 'Lost', 140_000, 7],
    ['s:SHIRT-L', null, 220_000, 3],
    ['s:SHIRT-M', null, 255_000, 6],
    ['s:SHIRT-S', 'Shirt', 200_000, 5],
    ['s:UNSENT-1', 'Unsent', 140_000, 7],
    ['s:VASE-1', 'Vase', 130_000, 9],
  ]);
  expect(items.filter(({ missed_since }) => missed_since !== null)).toEqual([]);

  const again = await pushed(
    await uploaded(
      'acme list.csv',
      prices.map(([_, ...cells], at) => [at === 0 ? 'Remark 2' : 'x', ...cells]),
    ),
  );
  expect((await outcomes(again)).slice(0, 2)).toMatchObject([
    { outcome: 'unchanged' },
    { outcome: 'unchanged' },
  ]);
  expect(await calls()).toBe(wrote + 2);
});

const quantityOf = (stock: object, quantity: number) =>
  Object.fromEntries(Object.keys(stock).map((location) => [location, quantity]));

it('is followed by a full list that changes back what the list of prices has changed, and nothing else', async () => {
  const before = await storeNow();
  const again = full.map((line, at) => (at === 0 ? [...line, 'Remark 3'] : [...line, '']));
  const id = await uploaded('acme list.csv', again);
  await pushed(id);
  expect(await storeNow()).toEqual(
    withVariants(before, {
      'SHIRT-M': () => ({ price: '21.00' }),
      'SHIRT-L': ({ stock }) => ({ stock: quantityOf(stock, 7) }),
      'VASE-1': ({ stock }) => ({ price: '12.00', stock: quantityOf(stock, 7) }),
    }),
  );
});

it('finds variants by UPC alone, sets quantities alone, and sends an edit of such a list', async () => {
  const supplier = await stack.database.db.selectFrom('suppliers').select('id').executeTakeFirstOrThrow();
  const before = await storeNow();
  const lines: Lines = [
    ['UPC', 'Quantity'],
    ['4006381333931', '1'],
    ['9780306406157', '2'],
    ['5901234123457', '4'],
    ['4260000000004', '4'],
  ];
  const id = await uploaded('counted stock.csv', lines, String(supplier.id));
  expect(await issuesOf(id)).toEqual(['valid', 'valid', 'valid', 'warning unknown-product']);
  expect(await read(id)).toMatchObject({ total_products: 3, valid_products: 2, warning_products: 1 });
  await edit(id, 2, { title: 'Bowl, blue' });
  await edit(id, 4, { title: 'Unknown', price: '1' });
  expect(await issuesOf(id)).toEqual(['valid', 'valid', 'valid', 'warning unknown-product']);
  await pushed(id);
  expect((await outcomes(id)).map(({ outcome, code }) => [outcome, code])).toEqual([
    ['updated', null],
    ['updated', null],
    ['skipped', 'unknown-product'],
  ]);
  const { Bowl: bowl, ...others } = withVariants(before, {
    'SHIRT-S': ({ stock }) => ({ stock: quantityOf(stock, 1) }),
    'SHIRT-L': ({ stock }) => ({ stock: quantityOf(stock, 4) }),
    'BOWL-1': ({ stock }) => ({ stock: quantityOf(stock, 2) }),
  });
  expect(await storeNow()).toEqual({ ...others, 'Bowl, blue': { ...bowl, title: 'Bowl, blue' } });
});

it('is read as any file if it is nobody’s list', async () => {
  const id = await uploaded(
    'prices.csv',
    [
      ['SKU', 'Price'],
      ['VASE-1', '1.00'],
    ],
    '',
  );
  expect(await issuesOf(id)).toEqual(['warning title-missing']);
  const { beforePush } = await details(id);
  expect(beforePush.facts).toMatchObject([{ kind: 'no-column' }, { kind: 'no-quantities' }]);
});
