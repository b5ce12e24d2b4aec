import { type CheckedImage, storeImageChecks } from '@draftshelf/core/enrich/images';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers(pushers);
const { reach, push } = pushSteps(() => stack);
const { undo } = undoSteps(() => stack);

it.beforeAll(async () => {
  // From now on the store's currency is known.
  expect((await stack.api.call('POST', '/api/shopify/test')).body).toMatchObject({ success: true });
});

async function uploaded(filename: string, rows: readonly (readonly string[])[]): Promise<string> {
  const { body } = await stack.api.upload(csvForm(csvOf(rows), { filename }));
  const { id } = body as { id: string };
  await reach(id, 'processed', 'queued');
  return id;
}

type Fact = { kind: string; count: number; sentence: string };
type BeforePush = { facts: Fact[]; scope: { sent: number; of: number } | null };
const beforePush = async (id: string) => {
  const { body } = await stack.api.call('GET', `/api/queue/${id}?rows=0`);
  return (body as { job: { beforePush: BeforePush | null } }).job.beforePush;
};
const factsOf = async (id: string) =>
  ((await beforePush(id))?.facts ?? []).map(({ kind, count }) => `${count} ${kind}`);

type Row = { row: number; issues: { code: string; message: string }[] };
const rowsOf = async (id: string, query: string) => {
  const { status, body } = await stack.api.call('GET', `/api/queue/${id}/rows?${query}`);
  expect(status).toBe(200);
  return body as { rows: Row[]; matching: number | null; earlier: boolean; later: boolean };
};
const numbersOf = async (id: string, query: string) => (await rowsOf(id, query)).rows.map(({ row }) => row);

const long = 'x'.repeat(256);

it('rows that are left out do not count as rows of another import', async () => {
  const cups = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => [`Cup ${from + at}`, '5', `OTHER-${from + at}`]);
  const header = ['Title', 'Price', 'SKU'];
  await uploaded('waiting-cups.csv', [header, ...cups(1, 4)]);
  const ended = await uploaded('ended-cups.csv', [header, ...cups(5, 6)]);
  const id = await uploaded('all-cups.csv', [header, ...cups(1, 6)]);
  await until('the rows are compared', async () => (await factsOf(id)).includes('6 in-other-import'));
  await stack.database.pool.query(`update imports set status = 'cancelled' where id = $1`, [ended]);
  for (const row of [1, 2]) {
    const body = { leaveOut: true };
    expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/${row}`, { body })).status).toBe(200);
  }
  expect(await factsOf(id)).toContain('2 in-other-import');
});

it('facts and numbers of an import before its push, and its rows by outcome after it', async () => {
  const other = await uploaded('spring-cups.csv', [
    ['Title', 'Price', 'SKU'],
    ['Cup', '5', 'FACT-1'],
  ]);
  const id = await uploaded('facts.csv', [
    ['Title', 'Price', 'SKU', 'Tags', 'Image'],
    ['Cup', '5', 'FACT-1', '', 'https://pictures.example/cup.jpg'],
    ['Swiss cup', 'CHF 69.-', 'FACT-2', '', 'https://pictures.example/swiss.jpg'],
    ['Cup without price', '', 'FACT-3', '', ''],
    ['Tagged cup', '7', 'FACT-4', long, ''],
    ['Cup with tagged brand', '7', long, long, ''],
    ['Plain cup', '8', 'FACT-6', '', ''],
  ]);
  await until('the rows are compared', async () => (await factsOf(id)).includes('1 in-other-import'));
  const checked: CheckedImage = {
    ...{ url: 'https://pictures.example/cup.jpg', state: 'unreachable', reason: 'The server answered 404.' },
    ...{ width: null, height: null, bytes: null },
  };
  await storeImageChecks(stack.database.db, [checked]);
  const before = await beforePush(id);
  expect(before).toMatchObject({
    facts: [
      {
        ...{ kind: 'other-currency', count: 1, of: 'row', issue: 'other-currency' },
        sentence: 'In CHF, but the store uses CAD. Amounts aren’t converted.',
      },
      // A product with two long texts is one product.
      { kind: 'too-long', count: 2, of: 'product', issue: 'tag-too-long' },
      {
        ...{ kind: 'bad-pictures', count: 1, of: 'picture' },
        sentence:
          'Couldn’t be loaded. The server answered 404. It’s sent anyway, because the store fetches images itself.',
      },
      {
        ...{ kind: 'in-other-import', count: 1, of: 'row', issue: 'in-other-import' },
        ...{ other: { id: other, filename: 'spring-cups.csv' } },
      },
      { kind: 'no-quantities', count: 6, of: 'product', field: 'quantity', columns: [] },
    ],
    scope: { sent: 3, of: 6 },
  });
  expect(before?.facts).toHaveLength(5);

  // One of five prices asks about its row, which is left out or sent, and holds no list back.
  const questionOf = async () => {
    const { body } = await stack.api.call('GET', `/api/jobs/${id}?rows=0`);
    return (body as { otherCurrency: object | null }).otherCurrency;
  };
  const asked = { named: ['CHF'], store: 'CAD', answer: null, rows: 1 };
  expect(await questionOf()).toEqual(asked);
  const answerWith = (answer: string) =>
    stack.api.call('POST', `/api/queue/${id}/other-currency`, { body: { answer } });
  expect((await answerWith('hold')).status).toBe(409);
  const body = { target: { issue: 'other-currency' }, operations: [{ kind: 'leave-out', leaveOut: true }] };
  const left = await stack.api.call('POST', `/api/queue/${id}/edits`, { body });
  expect(left).toMatchObject({ status: 200, body: { rows: 1, inBackground: false } });
  expect(await questionOf()).toBeNull();
  const { command } = left.body as { command: string };
  expect((await stack.api.call('POST', `/api/queue/${id}/edits/${command}/undo`)).status).toBe(200);
  expect(await questionOf()).toEqual(asked);

  // The answer stays as the last fact.
  await answerWith('send');
  expect((await factsOf(id)).at(-1)).toBe('1 other-currency');
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: 3, skipped: 3 });
  expect(await beforePush(id)).toEqual({ facts: [], scope: null, open: 0 });
  expect(await numbersOf(id, 'outcome=skipped')).toEqual([3, 4, 5]);
  expect(await numbersOf(id, 'outcome=created')).toEqual([1, 2, 6]);
  expect(await numbersOf(id, 'outcome=failed')).toEqual([]);
  expect(await numbersOf(id, 'outcome=skipped&class=valid')).toEqual([4, 5]);
  expect(await numbersOf(id, 'outcome=skipped&class=needs-you')).toEqual([3]);
  expect(await numbersOf(id, 'outcome=created&issue=other-currency')).toEqual([2]);
  for (const outcome of ['skipped', 'created']) {
    const [, second, third] = await numbersOf(id, `outcome=${outcome}`);
    const next = await rowsOf(id, `outcome=${outcome}&after=${second}&limit=1`);
    expect([next.rows.map(({ row }) => row), next.matching, next.later]).toEqual([[third], null, false]);
    expect(await numbersOf(id, `outcome=${outcome}&before=${third}&limit=1`)).toEqual([second]);
  }
  expect((await stack.api.call('GET', `/api/queue/${id}/rows?outcome=lost`)).status).toBe(400);

  // Values that were found since the push are news only as long as something of it is in the store.
  await stack.database.pool.query(`update imports set found_since_push = 1 where id = $1`, [id]);
  expect(await factsOf(id)).toEqual(['1 found-since-push']);
  await undo(id);
  expect(await factsOf(id)).not.toContain('1 found-since-push');
});

it('a row that is only a parent says that no variant is sent of it, and its product counts as sent', async () => {
  const id = await uploaded('coats.csv', [
    ['SKU', 'Parent SKU', 'Title', 'Price'],
    ['COAT', '', 'Coat', ''],
    ['COAT-S', 'COAT', 'Coat S', '50'],
    ['COAT-M', 'COAT', 'Coat M', '51'],
    ['HAT', '', 'Hat', ''],
    ['SCARF', '', 'Scarf', '0 USD'],
    ['SCARF-R', 'SCARF', 'Scarf red', '9'],
  ]);
  // By the rule for rows, one without a price needs the operator: the status and the three counts say so.
  expect(await reach(id, 'queued')).toMatchObject({ valid_products: 1, warning_products: 2 });
  expect(await beforePush(id)).toMatchObject({ scope: { sent: 2, of: 3 }, open: 1 });
  const { rows } = await rowsOf(id, '');
  const parent =
    'Not sent as a variant: this row describes the product, and its other rows are the variants.';
  expect(rows.map(({ row, issues }) => [row, ...issues.map(({ message }) => message)])).toEqual([
    [1, 'This row needs no price of its own.', parent],
    [2],
    [3],
    [4, 'Price is missing.'],
    // Its price is in another currency, but it is not sent.
    [5, parent],
    [6],
  ]);
  // Its missing price needs nobody, also after its product is validated again.
  const body = { values: { title: 'Coat in S' } };
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/2`, { body })).status).toBe(200);
  expect(await numbersOf(id, 'class=warning')).toEqual([1, 4]);
  expect(await numbersOf(id, 'class=needs-you')).toEqual([4]);
  expect(await numbersOf(id, 'issue=refused')).toEqual([4]);
  expect(await rowsOf(id, 'limit=1')).toMatchObject({ facets: { needsYou: 1 } });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ created: 2, skipped: 1 });
  // All rows of a product have its outcome.
  expect(await numbersOf(id, 'outcome=created')).toEqual([1, 2, 3, 5, 6]);
  expect(await numbersOf(id, 'outcome=skipped')).toEqual([4]);
});

it('parents without a price are counted as sent, however many there are', async () => {
  const coats = Array.from({ length: 120 }, (_, at) => [
    [`MANY-${at}`, '', `Coat ${at}`, ''],
    [`MANY-${at}-S`, `MANY-${at}`, `Coat ${at} S`, at < 2 ? '' : '50'],
  ]);
  const id = await uploaded('many-coats.csv', [['SKU', 'Parent SKU', 'Title', 'Price'], ...coats.flat()]);
  expect(await reach(id, 'queued')).toMatchObject({ valid_products: 0, warning_products: 120 });
  expect(await beforePush(id)).toMatchObject({ scope: { sent: 118, of: 120 }, open: 2 });
  // A product without a variant is left out: nothing of it is sent.
  const leaveOut = { leaveOut: true };
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/6`, { body: leaveOut })).status).toBe(200);
  expect(await beforePush(id)).toMatchObject({ scope: { sent: 117, of: 120 }, open: 2 });
});

it('repeated SKUs, quantities that are no number and prices of 0 are facts', async () => {
  const id = await uploaded('counted.csv', [
    ['Title', 'Price', 'SKU', 'Qty'],
    ['Bowl', '5', 'COUNT-1', '3 pcs'],
    ['Jug', '0', 'COUNT-2', '-2'],
    ['Tray', '0.00', 'COUNT-1', 'many'],
    ['Plate', '7', 'COUNT-3', '1,200'],
    ['Cup', '6', 'COUNT-4', '#N/A'],
    ['Pot', '8', 'COUNT-5', ''],
    ['Total', '', '', '12'],
  ]);
  // None of it changes the class of a row.
  expect(await reach(id, 'processed')).toMatchObject({ valid_products: 6 });
  expect(await beforePush(id)).toMatchObject({
    facts: [
      { kind: 'price-zero', count: 2, of: 'row', issue: 'price-zero' },
      { kind: 'totals', count: 1, of: 'row', issue: 'totals' },
      { kind: 'duplicates', count: 1, of: 'row', issue: 'duplicate' },
      { kind: 'bad-quantities', count: 3, of: 'row', issue: 'quantity-not-numeric' },
      { kind: 'no-quantities', count: 2, of: 'row', issue: 'quantity-missing' },
    ],
    scope: { sent: 6, of: 6 },
  });
  expect(await numbersOf(id, 'issue=price-zero')).toEqual([2, 3]);
  expect(await numbersOf(id, 'issue=totals')).toEqual([7]);
  expect(await numbersOf(id, 'issue=quantity-not-numeric')).toEqual([1, 3, 5]);
  expect(await numbersOf(id, 'issue=quantity-negative')).toEqual([2]);
  expect(await numbersOf(id, 'issue=quantity-missing')).toEqual([5, 6]);
  const fix = { values: { quantity: '3', price: '6' } };
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/1`, { body: fix })).status).toBe(200);
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/3`, { body: fix })).status).toBe(200);
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/5`, { body: fix })).status).toBe(200);
  expect(await factsOf(id)).toEqual([...['1 price-zero', '1 totals', '1 duplicates', '1 no-quantities']]);
});

it('a parent row with a price of 0 is no fact, and a later variant is', async () => {
  const id = await uploaded('sizes.csv', [
    ['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Variant SKU', 'Variant Price'],
    ['gown', 'Gown', '', '', 'GOWN', '0'],
    ['gown', '', 'Size', 'S', 'GOWN-S', '50'],
    ['gown', '', 'Size', 'M', 'GOWN-M', '0'],
  ]);
  expect(await factsOf(id)).toEqual(['1 price-zero', '1 no-quantities']);
  expect(await numbersOf(id, 'issue=price-zero')).toEqual([3]);
  // An edit validates the product again, with the same result.
  const body = { values: { price: '0.00' } };
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/1`, { body })).status).toBe(200);
  expect(await numbersOf(id, 'issue=price-zero')).toEqual([3]);
});

it('a required field without a column is a fact, with the column that may hold it', async () => {
  const id = await uploaded('unmapped.csv', [
    ['Title', 'Price'],
    ['Mat', '5'],
    ['Rug', '6'],
  ]);
  const body = { Price: null };
  expect((await stack.api.call('PUT', `/api/queue/${id}/mapping`, { body })).status).toBe(200);
  await reach(id, 'queued');
  expect(await beforePush(id)).toMatchObject({
    facts: [
      { kind: 'no-column', count: 2, of: 'product', field: 'price', columns: ['Price'] },
      { kind: 'no-quantities', count: 2, of: 'product', field: 'quantity' },
    ],
    scope: { sent: 0, of: 2 },
  });
});
