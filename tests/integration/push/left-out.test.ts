import { copyProducts } from '@draftshelf/core/push/store/store-products';
import { readMatchingRows } from '@draftshelf/core/review/commands/command-targets';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { readStorePage } from '@draftshelf/shopify/store-pages';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { countedSummary, storedSummary } from '../../support/stored-summary.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { read, reach, push, retry, edit, outcomes, productsNamed, calls } = pushSteps(() => stack);

async function uploaded(rows: readonly (readonly string[])[], filename = 'left-out.csv'): Promise<string> {
  const { body } = await stack.api.upload(csvForm(csvOf(rows), { filename }));
  const { id } = body as { id: string };
  await reach(id, 'processed', 'queued');
  return id;
}

type Row = { row: number; class: string; leftOut: boolean; issues: object[] };
type Facets = { classes: object; needsYou: number; issues: Record<string, number> };
type Saved = { command: string; row: Row; facets: Facets };

async function leaveOut(id: string, row: number, isLeftOut = true): Promise<Saved> {
  const path = `/api/queue/${id}/rows/${row}`;
  const { status, body } = await stack.api.call('PATCH', path, { body: { leaveOut: isLeftOut } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Saved;
}

const undo = async (id: string, command: string) => {
  const { status, body } = await stack.api.call('POST', `/api/queue/${id}/edits/${command}/undo`);
  expect(status).toBe(200);
  return body as { command: string; rows: Row[] };
};

const leftOutRows = async (id: string) => {
  const { body } = await stack.api.call('GET', `/api/queue/${id}/rows?issue=left-out`);
  return (body as { rows: Row[] }).rows.map(({ row }) => row);
};

/** The rows and products that need the operator, and how many rows a change of all of them would be for. */
const needsYou = async (id: string) => {
  const page = await stack.api.call('GET', `/api/queue/${id}/rows?class=needs-you`);
  const { rows, facets, matching } = page.body as { rows: Row[]; facets: Facets; matching: number };
  const filter = { class: 'needs-you' } as const;
  const record = await read(id);
  const targeted = await readMatchingRows(stack.database.db, record, filter);
  const job = await stack.api.call('GET', `/api/queue/${id}?rows=0`);
  const { open } = (job.body as { job: { beforePush: { open: number } } }).job.beforePush;
  return {
    rows: rows.map(({ row }) => row),
    counts: [matching, facets.needsYou],
    targeted: [...targeted],
    open,
  };
};

type Fact = { kind: string; count: number; of: string; sentence: string; issue?: string };
const beforePush = async (id: string) => {
  const { body } = await stack.api.call('GET', `/api/queue/${id}?rows=0`);
  const shown = (body as { job: { beforePush: { facts: Fact[]; scope: object | null } } }).job.beforePush;
  return { scope: shown.scope, fact: shown.facts.find(({ kind }) => kind === 'left-out') };
};

/** Stored counts are those of the rows. */
async function expectExact(id: string): Promise<void> {
  const record = await read(id);
  expect(await storedSummary(stack.database, record)).toEqual(await countedSummary(stack.database, record));
}

const skipped = {
  ...{ outcome: 'skipped', code: 'left-out' },
  message: 'Left out of the push. In the store, it stays as it is.',
};

it('leaves a row out by an edit that changes neither class nor counts, and is undone, redone and filtered', async () => {
  const id = await uploaded([
    ['Title', 'Price', 'SKU'],
    ['Mug', '5', 'LO-1'],
    ['Mug without price', '', 'LO-2'],
    ['Mug again', '6', 'LO-1'],
  ]);
  const countsOf = async () => {
    const { valid_products, warning_products, error_products, status } = await read(id);
    return { valid_products, warning_products, error_products, status };
  };
  const before = await countsOf();
  const saved = await leaveOut(id, 2);
  expect(saved.row).toMatchObject({ row: 2, class: 'warning', leftOut: true });
  expect(saved.row.issues).toHaveLength(1);
  expect(saved.facets).toMatchObject({
    classes: { valid: 2, warning: 1, error: 0 },
    issues: { any: 1, 'left-out': 1, duplicate: 1 },
  });
  expect((await leaveOut(id, 1)).row.issues).toEqual([]);
  expect(await leftOutRows(id)).toEqual([1, 2]);
  expect(await countsOf()).toEqual(before);
  await expectExact(id);

  const undone = await undo(id, saved.command);
  expect(undone.rows).toMatchObject([{ row: 2, leftOut: false }]);
  expect(await leftOutRows(id)).toEqual([1]);
  await expectExact(id);
  expect((await undo(id, undone.command)).rows).toMatchObject([{ row: 2, leftOut: true }]);
  // With other values in one edit, and put back.
  const path = `/api/queue/${id}/rows/2`;
  const body = { values: { price: '9' }, leaveOut: false };
  expect(await stack.api.call('PATCH', path, { body })).toMatchObject({
    status: 200,
    body: { row: { leftOut: false, class: 'valid', values: { price: '9' } } },
  });
  expect(await leftOutRows(id)).toEqual([1]);
  expect(await stack.api.call('PATCH', path, { body: {} })).toMatchObject({ status: 400 });
  await expectExact(id);
});

it('counts in no issue, also if it was left out before a migration', async () => {
  const id = await uploaded([
    ['Title', 'Price', 'SKU', 'Cost'],
    ['Old mug', '5', 'LM-1', '1'],
    ['Old mug without price', '', 'LM-2', '1'],
    ['Old mug again', '6', 'LM-1', '7'],
    ['Another old mug', '6', 'LM-1', '1'],
    ['Old mug that is kept', '6', 'LM-1', '1'],
  ]);
  for (const row of [2, 3, 4]) await leaveOut(id, row);
  await expectExact(id);
  const page = async (issue: string) => {
    const { body } = await stack.api.call('GET', `/api/queue/${id}/rows?issue=${issue}`);
    const { rows, facets } = body as { rows: Row[]; facets: Facets };
    return { rows: rows.map(({ row }) => row), counted: facets.issues[issue] ?? 0 };
  };
  expect(await page('duplicate')).toEqual({ rows: [5], counted: 1 });
  expect(await page('check')).toEqual({ rows: [5], counted: 1 });
  expect(await page('refused')).toEqual({ rows: [], counted: 0 });
  expect(await page('left-out')).toEqual({ rows: [2, 3, 4], counted: 3 });
});

it('needs the operator no more, and again once it is put back', async () => {
  const id = await uploaded([
    ['Title', 'Price', 'SKU'],
    ['Open mug', '5', 'LN-1'],
    ['Open mug without price', '', 'LN-2'],
    ['Open cup without price', '', 'LN-3'],
  ]);
  const both = { rows: [2, 3], counts: [2, 2], targeted: [2, 3], open: 2 };
  expect(await needsYou(id)).toEqual(both);
  await leaveOut(id, 1);
  await leaveOut(id, 2);
  expect(await needsYou(id)).toEqual({ rows: [3], counts: [1, 1], targeted: [3], open: 1 });
  await leaveOut(id, 3);
  expect(await needsYou(id)).toEqual({ rows: [], counts: [0, 0], targeted: [], open: 0 });
  // The rows keep their class, and are found among those that are left out.
  expect((await read(id)).status).toBe('queued');
  const { body } = await stack.api.call('GET', `/api/queue/${id}/rows?class=needs-you&issue=left-out`);
  expect((body as { rows: Row[] }).rows.map(({ row }) => row)).toEqual([2, 3]);
  await leaveOut(id, 2, false);
  await leaveOut(id, 3, false);
  expect(await needsYou(id)).toEqual(both);
});

it.runIf(isLong)(
  'stays over a re-read, and goes with the other edits into another upload of the file',
  async () => {
    const rows = [
      ['Title', 'Price', 'SKU'],
      ['Copied mug', '5', 'LC-1'],
      ['Copied cup', '6', 'LC-2'],
      ['Copied cup', '6', 'LC-2'],
    ];
    const first = await uploaded(rows, 'copied.csv');
    await leaveOut(first, 3);
    const run = (await read(first)).rows_run;
    expect(
      (await stack.api.call('POST', `/api/queue/${first}/dialect`, { body: { quote: "'" } })).status,
    ).toBe(200);
    await reach(first, 'processed', 'queued');
    expect((await read(first)).rows_run).toBeGreaterThan(run);
    expect(await leftOutRows(first)).toEqual([3]);
    await expectExact(first);
    const second = await uploaded(rows, 'copied.csv');
    expect(await leftOutRows(second)).toEqual([3]);
    await expectExact(second);
  },
);

it('leaves out what the commands of the file delete or ignore, until it is put back', async () => {
  const rows = [
    ['Handle', 'Command', 'Title', 'Option1 Name', 'Option1 Value', 'Variant Command', 'Variant Price'],
    ['file-tee', 'UPDATE', 'File tee', 'Size', 'S', '', '5'],
    ['file-tee', '', '', 'Size', 'M', 'DELETE', '5'],
    ['file-mug', 'DELETE', 'File mug', 'Size', 'S', '', '6'],
    ['file-mug', '', '', 'Size', 'M', '', '6'],
    ['file-jug', 'IGNORE', '', '', '', '', ''],
    ['file-pot', 'NEW', 'File pot', '', '', '', '7'],
  ];
  const id = await uploaded(rows);
  expect(await leftOutRows(id)).toEqual([2, 3, 4, 5]);
  expect(await beforePush(id)).toMatchObject({
    scope: { sent: 2, of: 4 },
    fact: { count: 2, of: 'product' },
  });
  await expectExact(id);
  const history = await stack.api.call('GET', `/api/queue/${id}/edits`);
  expect(history.body).toMatchObject({
    commands: [
      {
        ...{ kind: 'file', author: 'worker', rows: 4 },
        sentence: 'Left out of the push: rows that the file deletes or ignores',
      },
    ],
  });
  await leaveOut(id, 3, false);
  const reread = { body: { quote: "'" } };
  expect((await stack.api.call('POST', `/api/queue/${id}/dialect`, reread)).status).toBe(200);
  await reach(id, 'processed', 'queued');
  expect(await leftOutRows(id)).toEqual([2, 4, 5]);
  // The same file again has what a person put back; its commands, which go into no other list, leave out the rest.
  const again = await uploaded(rows);
  expect(await leftOutRows(again)).toEqual([2, 4, 5]);
  const { body } = await stack.api.call('GET', `/api/queue/${again}/edits`);
  expect((body as { commands: object[] }).commands).toEqual([
    expect.objectContaining({ kind: 'file', rows: 3 }),
    expect.objectContaining({ kind: 'copied', rows: 1 }),
  ]);
  await push(id);
  await reach(id, 'completed');
  const sent = await productsNamed('File ');
  expect(sent.map(({ title, variants }) => `${title}: ${variants.length}`).toSorted()).toEqual([
    'File mug: 1',
    'File pot: 1',
    'File tee: 1',
  ]);
});

it('sends no product that is left out, says so before and after, and counts none as an error', async () => {
  const long = 'x'.repeat(256);
  const id = await uploaded([
    ['Title', 'Price', 'SKU', 'Tags'],
    ['Left lamp', '5', 'LP-1', ''],
    ['Sent lamp', '6', 'LP-2', ''],
    ['Left long lamp', '7', 'LP-3', long],
    ['Left lamp without price', '', 'LP-4', ''],
  ]);
  expect(await beforePush(id)).toEqual({ scope: { sent: 2, of: 4 }, fact: undefined });
  for (const row of [1, 3, 4]) await leaveOut(id, row);
  expect(await beforePush(id)).toMatchObject({
    scope: { sent: 1, of: 4 },
    fact: { count: 3, of: 'product', issue: 'left-out' },
  });
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({
    ...{ status: 'completed', created: 1, skipped: 3, failed: 0, error_count: 0, error_message: null },
  });
  expect((await outcomes(id)).filter(({ product }) => product !== 2)).toEqual(
    [1, 3, 4].map((product) => ({ product, ...skipped })),
  );
  const ledger = await stack.api.call('GET', `/api/queue/${id}/ledger.csv`);
  expect(String(ledger.body)).toContain('Skipped, nothing written');
  expect(String(ledger.body)).toContain(skipped.message);

  await leaveOut(id, 2);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({
    ...{ status: 'completed', created: 0, skipped: 4, failed: 0, error_count: 0, error_message: null },
  });
  // What the store has already stays.
  expect(await productsNamed('Sent lamp')).toHaveLength(1);

  // With a product that lacks something, nothing was sent, and a retry says the same.
  await leaveOut(id, 4, false);
  await push(id);
  const failed = { skipped: 4, error_message: expect.stringContaining('3 left out of the push, 1 skipped') };
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'failed', ...failed });
  await retry(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'failed', ...failed });

  // A product that can be sent now is sent, beside those that are left out.
  await edit(id, 4, { price: '8' });
  await retry(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({
    ...{ status: 'completed', created: 1, skipped: 3, failed: 0, error_count: 0, error_message: null },
  });
  expect(await productsNamed('Left lamp without price')).toHaveLength(1);
  expect(await productsNamed('Left long lamp')).toEqual([]);
});

const sizes = (title: string, skus: string, rows: readonly (readonly [string, string])[]) => [
  ['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Price', 'SKU'],
  ...rows.map(([size, price], at) => [
    ...[title, at === 0 ? title : '', 'Size', size, price, `${skus}-${size}`],
  ]),
];

type Variant = { id: number; optionValues: { value: string }[]; price: string };
const storedVariants = async (title: string) => {
  const [product] = await productsNamed(title);
  return (product?.variants ?? []) as unknown as Variant[];
};
const variantsNamed = async (title: string) => {
  const variants = await storedVariants(title);
  return variants.map(({ optionValues, price }) => `${optionValues[0]?.value} ${price}`).sort();
};

it('sends a product without its left-out rows, also those that lack a price', async () => {
  const id = await uploaded(
    sizes('Part shirt', 'LV', [
      ['S', '5'],
      ['M', ''],
      ['L', '7'],
    ]),
  );
  expect(await beforePush(id)).toMatchObject({ scope: { sent: 0, of: 1 } });
  expect(await needsYou(id)).toMatchObject({ rows: [2], open: 1 });
  await leaveOut(id, 2);
  expect(await beforePush(id)).toMatchObject({
    scope: { sent: 1, of: 1 },
    fact: { count: 1, of: 'row', issue: 'left-out' },
  });
  expect(await needsYou(id)).toMatchObject({ rows: [], open: 0 });
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', created: 1 });
  expect(await variantsNamed('Part shirt')).toEqual(['L 7.00', 'S 5.00']);
  expect(await outcomes(id)).toMatchObject([
    {
      outcome: 'created',
      message: '1 row is left out of the push. Variants that the store has already stay there.',
    },
  ]);
  for (const row of [1, 3]) await leaveOut(id, row);
  expect((await beforePush(id)).fact).toMatchObject({ count: 1, of: 'product' });
  expect(await needsYou(id)).toMatchObject({ rows: [], open: 0 });
});

it.runIf(isLong)('removes no variant of the store when a row is left out after a push', async () => {
  const id = await uploaded(
    sizes('Kept shirt', 'LK', [
      ['S', '5'],
      ['M', '6'],
      ['L', '7'],
    ]),
  );
  await push(id);
  await reach(id, 'completed');
  expect(await variantsNamed('Kept shirt')).toEqual(['L 7.00', 'M 6.00', 'S 5.00']);

  const idsOf = async () => (await storedVariants('Kept shirt')).map((variant) => variant.id).sort();
  const ids = await idsOf();

  await leaveOut(id, 2);
  const before = await calls();
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', unchanged: 1 });
  expect(await calls()).toBe(before);

  await edit(id, 1, { price: '5.50' });
  await edit(id, 2, { price: '6.50', option1Value: 'Medium' });
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', updated: 1 });
  expect(await variantsNamed('Kept shirt')).toEqual(['L 7.00', 'M 6.00', 'S 5.50']);
  const { rows: keys } = await stack.database.pool.query(
    "select value from product_keys where kind = 'sku' and value like 'LK-%' order by value",
  );
  expect(keys.map(({ value }) => value)).toEqual(['LK-L', 'LK-M', 'LK-S']);

  await edit(id, 2, { option1Value: null });
  await leaveOut(id, 2, false);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', updated: 1 });
  expect(await variantsNamed('Kept shirt')).toEqual(['L 7.00', 'M 6.50', 'S 5.50']);
  expect(await idsOf()).toEqual(ids);
});

const storeToken = 'test-token';

/** Creates a product of a merchant with two sizes in the store, and copies the store. */
async function createByMerchant(title: string, skus: string): Promise<void> {
  const variants = ['S', 'M'].map((name) => ({
    ...{ optionValues: [{ optionName: 'Size', name }], sku: `${skus}-${name}`, price: '1' },
  }));
  const productOptions = [{ name: 'Size', values: [{ name: 'S' }, { name: 'M' }] }];
  const response = await fetch(`${stack.store.url}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': storeToken },
    body: JSON.stringify({
      query: `mutation make($input: ProductSetInput!) {
        productSet(input: $input, synchronous: true) { userErrors { message } }
      }`,
      variables: { input: { title, status: 'ACTIVE', productOptions, variants } },
    }),
  });
  expect(await response.json()).toMatchObject({ data: { productSet: { userErrors: [] } } });
  const store = { url: stack.store.url, apiVersion: '2026-10', credentials: { accessToken: storeToken } };
  const budget = { reserve: async (points: number) => ({ points }), report: async () => {} };
  const { products } = await readStorePage(createShopifyClient(store, { budget }), null);
  await copyProducts(stack.database.db, 'draftshelf-demo.myshopify.com', products);
}

it.runIf(isLong)(
  'takes over a product of the store without touching the variants of left-out rows',
  async () => {
    await createByMerchant('Merchant shirt', 'LT');
    const id = await uploaded(
      sizes('Merchant shirt by us', 'LT', [
        ['S', '5'],
        ['M', '6'],
      ]),
    );
    await leaveOut(id, 2);
    const pushed = await stack.api.call('POST', `/api/queue/${id}/push`, { body: { whenInStore: 'update' } });
    expect(pushed.status).toBe(200);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', updated: 1 });
    expect(await variantsNamed('Merchant shirt')).toEqual(['M 1.00', 'S 5.00']);
    await edit(id, 1, { price: '5.50' });
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', updated: 1 });
    expect(await variantsNamed('Merchant shirt')).toEqual(['M 1.00', 'S 5.50']);
  },
);
