import type {
  OperatorValue,
  SupplierDetails,
  SupplierSummary,
} from '@draftshelf/contract/suppliers/supplier-page';
import { expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { nextList: listed, call, edit, rowsOf, newSupplier, read } = importSteps(() => stack);

const list = (prefix: string, prices: readonly string[]) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...prices.map((price, at) => [`${prefix} vase ${at + 1}`, price, `${prefix}-${at + 1}`]),
  ]);

const detailsOf = (id: number) => call<SupplierDetails>('GET', `/api/suppliers/${id}`);
const valuesOf = (id: number, query = '') =>
  call<{ values: OperatorValue[]; next: string | null }>('GET', `/api/suppliers/${id}/values${query}`);
const pricesOf = async (id: string) => (await rowsOf(id)).map(({ values }) => values.price);

it('lists suppliers with what is to do, and names those that the operator knows', async () => {
  expect(await call('GET', '/api/suppliers/summaries')).toEqual([]);
  const [acme, beta] = [await newSupplier('Acme'), await newSupplier('Beta')];
  const march = await listed(acme, list('Acme', ['1', '2', '3']));
  await edit(march, 1, { price: '9' });
  const april = await listed(acme, list('Acme', ['1.10', '2', '3']));
  expect(await call<SupplierSummary[]>('GET', '/api/suppliers/summaries')).toMatchObject([
    {
      ...{ id: acme, products: 3, asked: null },
      last: { importId: april, filename: 'products.csv', products: 3 },
      waiting: { importId: april, toDecide: 1 },
    },
    { id: beta, products: null, last: null, waiting: null },
  ]);
  expect(await call('GET', '/api/suppliers')).toMatchObject([
    { name: 'Acme', isNamed: true },
    { name: 'Beta', isNamed: false },
  ]);
  expect((await stack.api.call('GET', '/api/suppliers/999')).status).toBe(404);
});

it('shows lists with their sums, and forgets by what they are recognized', async () => {
  const gamma = await newSupplier('Gamma');
  const march = await listed(gamma, list('Gamma', ['1', '2', '3']));
  await call('PUT', `/api/queue/${march}/list`, { counts: true });
  await until('it counts', async () => (await detailsOf(gamma)).lists[0]?.state === 'counted');
  await listed(gamma, list('Gamma', ['1', '2.50', '3']));
  const { lists, signs } = await detailsOf(gamma);
  expect(lists).toMatchObject([
    { number: 2, state: 'open', counts: { changed: 1, dearer: 1, unchanged: 2 } },
    { number: 1, state: 'counted', importId: march, counts: null },
  ]);
  const layout = signs.find(({ kind }) => kind === 'layout');
  expect(layout).toMatchObject({ kind: 'layout', lists: 2, columns: ['Title', 'Price', 'SKU'] });
  await call('POST', `/api/suppliers/${gamma}/signs/forget`, { kind: layout?.kind, value: layout?.value });
  expect((await detailsOf(gamma)).signs).toEqual([]);
});

it('finds values by product, key and value, and forgets one, those of a field, or all', async () => {
  const delta = await newSupplier('Delta');
  const march = await listed(delta, list('Delta', ['1', '2', '3', '4']));
  for (const row of [1, 2, 3]) await edit(march, row, { price: `9.0${row}` });
  await edit(march, 4, { title: 'Blue bowl' });
  await listed(delta, list('Delta', ['1', '2', '3', '4', '5']));
  expect(await detailsOf(delta)).toMatchObject({
    values: 4,
    fields: [
      { field: 'price', values: 3 },
      { field: 'title', values: 1 },
    ],
  });
  const found = async (query: string) =>
    (await valuesOf(delta, query)).values.map(({ value }) => value).sort();
  expect(await found('?search=delta-2')).toEqual(['9.02']);
  expect(await found('?search=VASE 3')).toEqual(['9.03']);
  expect(await found('?search=bowl')).toEqual(['Blue bowl']);
  expect(await found('?field=price')).toEqual(['9.01', '9.02', '9.03']);
  const { values } = await valuesOf(delta, '?search=9.01');
  expect(values).toMatchObject([{ theirs: '1', filename: 'products.csv', title: 'Delta vase 1' }]);

  const forget = (body: object) => call('POST', `/api/suppliers/${delta}/values/forget`, body);
  const [first] = values;
  const { version } = await read(march);
  expect(await forget({ subject: first?.subject, field: 'price' })).toEqual({ forgotten: 1 });
  expect((await read(march)).version).toBeGreaterThan(version);
  expect(await found('')).toEqual(['9.02', '9.03', 'Blue bowl']);
  // Edits of before do not set them again, and nothing is proposed.
  const may = await listed(delta, list('Delta', ['1', '2', '3', '4', '6']));
  expect(await pricesOf(may)).toEqual(['1', '9.02', '9.03', '4', '6']);
  expect(await forget({ field: 'price' })).toEqual({ forgotten: 2 });
  expect(await forget({ all: true })).toEqual({ forgotten: 1 });
  expect((await detailsOf(delta)).values).toBe(0);
  const june = await listed(delta, list('Delta', ['1', '2', '3', '4', '7']));
  expect(await pricesOf(june)).toEqual(['1', '2', '3', '4', '7']);
});

it('pages through values', async () => {
  const many = await newSupplier('Many values');
  await stack.database.pool.query(
    `insert into carried_values (supplier, subject, field, kind, value, said_at, said_in, import_id)
     select $1, 'i:' || n, 'price', 'value', n::text, now(), 'march.csv', gen_random_uuid()
     from generate_series(1, 120) n`,
    [many],
  );
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: { values: OperatorValue[]; next: string | null } = await valuesOf(
      many,
      `?after=${encodeURIComponent(after)}`,
    );
    seen.push(...page.values.map(({ value }) => value));
    after = page.next;
  }
  expect(seen.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
});
