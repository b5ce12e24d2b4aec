import type { FieldValues } from '@draftshelf/contract/review/field-values';
import type { RowPage } from '@draftshelf/contract/review/rows';
import { afterEach, describe, expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { call, edit, processed, rested } = importSteps(() => stack);
// Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
afterEach(() => stack.database.pool.query('update imports set push_run = 1'));

const ofShoes = (rows: string[][]) => processed(csvOf([['Title', 'Price', 'Brand', 'Weight (kg)'], ...rows]));

type Query = Record<string, string>;
const valuesOf = (id: string, query: Query) =>
  call<FieldValues>('GET', `/api/queue/${id}/values?${new URLSearchParams(query)}`);
const pageOf = (id: string, query: Query) =>
  call<RowPage>('GET', `/api/queue/${id}/rows?${new URLSearchParams(query)}`);
/** The numbers of the rows with a value, and what else the filter says. */
const rowsWith = async (id: string, value: string, query: Query = {}) =>
  (await pageOf(id, { ...query, value })).rows.map(({ row }) => row);

/** Previews a change and applies it; both replies. */
async function change(id: string, body: { target: object; operations: object[] }) {
  const edits = `/api/queue/${id}/edits`;
  const previewed = await call('POST', `${edits}/preview`, body);
  return [previewed, await call('POST', edits, { ...body, sinceEdit: 0 })];
}

const brands = ['Nike', 'NIKE', 'Nike', 'nike ', '', 'Asics'];
const rows = brands.map((brand, at) => [`Shoe ${at + 1}`, at % 2 === 0 ? 'n/a' : '9.50', brand, '1']);

describe('values of a field', () => {
  test('are counted over all rows, the commonest first, with near-equal spellings', async () => {
    const id = await ofShoes(rows);
    expect(await valuesOf(id, { field: 'vendor' })).toEqual({
      values: [
        { value: 'Nike', rows: 2 },
        { value: 'NIKE', rows: 1 },
        { value: 'nike', rows: 1 },
        { value: 'Asics', rows: 1 },
      ],
      distinct: 4,
      ...{ rows: 6, empty: 1, isAll: true },
      clusters: [
        [
          { value: 'Nike', rows: 2 },
          { value: 'NIKE', rows: 1 },
          { value: 'nike', rows: 1 },
        ],
      ],
    });
    expect(await valuesOf(id, { field: 'weightUnit' })).toMatchObject({ values: [{ value: 'kg', rows: 6 }] });
    expect(await valuesOf(id, { field: 'type' })).toMatchObject({ values: [], distinct: 0, empty: 6 });
  });

  test('are those of the rows that match class, issue and search', async () => {
    const id = await ofShoes(rows);
    const wrong = await valuesOf(id, { field: 'price', issue: 'price-not-numeric' });
    expect(wrong).toMatchObject({ values: [{ value: 'n/a', rows: 3 }], rows: 3, isAll: true, clusters: [] });
    const valid = await valuesOf(id, { field: 'price', class: 'valid' });
    expect(valid.values).toEqual([{ value: '9.50', rows: 3 }]);
    expect((await valuesOf(id, { field: 'vendor', q: 'asics' })).values).toEqual([
      { value: 'Asics', rows: 1 },
    ]);
  });

  test('filter rows, page by page, and what is changed', async () => {
    // Another file than those of the other tests: an identical one would begin with its edits.
    const id = await ofShoes(rows.map(([title = '', ...others]) => [`${title} filtered`, ...others]));
    const rowsOf = async (query: Query) => {
      const { rows: found, later, matching } = await pageOf(id, query);
      return { rows: found.map(({ row }) => row), later, matching };
    };
    const all = { later: false, matching: null };
    expect(await rowsOf({ value: 'vendor:Nike' })).toEqual({ ...all, rows: [1, 3] });
    expect(await rowsOf({ value: 'vendor:' })).toEqual({ ...all, rows: [5] });
    expect(await rowsOf({ value: 'vendor:Nik' })).toEqual({ ...all, rows: [] });
    const wrong = { value: 'price:n/a', issue: 'price-not-numeric' };
    expect(await rowsOf(wrong)).toEqual({ ...all, rows: [1, 3, 5] });
    expect(await rowsOf({ ...wrong, limit: '2' })).toEqual({ ...all, rows: [1, 3], later: true });
    expect(await rowsOf({ ...wrong, after: '3' })).toEqual({ ...all, rows: [5] });
    expect(await rowsOf({ ...wrong, before: '5', limit: '1' })).toMatchObject({ rows: [3], later: true });
    expect(await rowsOf({ ...wrong, q: 'shoe 3' })).toEqual({ ...all, rows: [3] });
    expect((await stack.api.call('GET', `/api/queue/${id}/rows?value=brand:x`)).status).toBe(400);

    const puma = [{ kind: 'set', field: 'vendor', value: 'Puma' }];
    expect(await change(id, { target: { value: 'vendor:Nike' }, operations: puma })).toMatchObject([
      { rows: 2, changed: { cells: 2 } },
      { rows: 2 },
    ]);
    expect(await rowsOf({ value: 'vendor:Puma' })).toEqual({ ...all, rows: [1, 3] });
    expect(await rowsOf({ value: 'vendor:Nike' })).toEqual({ ...all, rows: [] });
  });

  test('are single tags where a cell lists some, in the counts, the filter and a change', async () => {
    const csv = csvOf([
      ['Title', 'Price', 'Tags'],
      ['Cap', '1', 'Summer, sale'],
      ['Hat', '2', 'sale|new;SALE'],
      ['Bag', '3', ''],
      ['Tie', '4', 'sales'],
    ]);
    const id = await processed(csv);
    expect(await valuesOf(id, { field: 'tags' })).toMatchObject({
      values: [
        { value: 'sale', rows: 2 },
        { value: 'Summer', rows: 1 },
        { value: 'new', rows: 1 },
        { value: 'sales', rows: 1 },
      ],
      ...{ distinct: 4, rows: 4, empty: 1 },
    });
    expect(await rowsWith(id, 'tags:sale')).toEqual([1, 2]);
    expect(await rowsWith(id, 'tags:Summer, sale')).toEqual([1]);
    expect(await rowsWith(id, 'tags:')).toEqual([3]);
    const outlet = [{ kind: 'map', field: 'tags', values: [{ from: 'sale', to: 'Outlet' }] }];
    const [previewed] = await change(id, { target: { value: 'tags:sale' }, operations: outlet });
    expect(previewed).toMatchObject({ rows: 2, changed: { cells: 2 } });
    expect((await valuesOf(id, { field: 'tags' })).values).toContainEqual({ value: 'Outlet', rows: 2 });
    expect(await rowsWith(id, 'tags:sale')).toEqual([]);
    expect(await rowsWith(id, 'tags:Summer')).toEqual([1]);

    await stack.database.pool.query(
      `insert into outcomes (import_id, rows_run, product, run, our_id, outcome)
       select id, 1, 2, 1, 'ours', 'failed' from imports where id = $1`,
      [id],
    );
    await stack.database.pool.query('update imports set failed = 1 where id = $1', [id]);
    expect(await valuesOf(id, { field: 'tags', outcome: 'failed' })).toMatchObject({
      values: [
        { value: 'Outlet', rows: 1 },
        { value: 'new', rows: 1 },
      ],
      ...{ rows: 1, isAll: true },
    });
  });

  test('are those of the product where it has the field once, in counts, filter, preview and change', async () => {
    const csv = csvOf([
      ['Handle', 'Title', 'Brand', 'Tags', 'Price', 'Option1 Name', 'Option1 Value'],
      ['cap', 'Cap', 'Nike', 'sale', '10', 'Size', 'S'],
      ['cap', '', '', '', '10', '', 'M'],
      ['hat', 'Hat', '', '', '20', 'Size', 'S'],
      ['hat', '', 'Late', '', '20', '', 'M'],
      // A further row of the first product, apart from the others.
      ['cap', '', '', '', '10', '', 'L'],
      ['bag', '', 'Asics', '', '30', 'Size', 'S'],
      ['bag', 'Bag', '', '', '30', '', 'M'],
    ]);
    const id = await processed(csv);
    await rested(id);
    expect(await valuesOf(id, { field: 'vendor' })).toMatchObject({
      values: [
        { value: 'Nike', rows: 3 },
        { value: 'Asics', rows: 2 },
      ],
      ...{ distinct: 2, rows: 7, empty: 2 },
    });
    expect(await rowsWith(id, 'vendor:Nike')).toEqual([1, 2, 5]);
    expect(await rowsWith(id, 'vendor:Nike', { before: '5', limit: '1' })).toEqual([2]);
    expect(await rowsWith(id, 'vendor:Nike', { class: 'valid', q: 'cap' })).toEqual([1]);
    expect(await rowsWith(id, 'vendor:')).toEqual([3, 4]);
    expect(await rowsWith(id, 'vendor:Late')).toEqual([]);
    expect(await rowsWith(id, 'tags:sale')).toEqual([1, 2, 5]);
    // A product without a title on its first row has the first one of its rows.
    expect(await rowsWith(id, 'title:Bag')).toEqual([6, 7]);
    expect(await rowsWith(id, 'title:')).toEqual([]);

    const raise = [{ kind: 'calculate', field: 'price', by: 'multiply', amount: '1.1' }];
    expect(await change(id, { target: { value: 'vendor:Nike' }, operations: raise })).toMatchObject([
      { rows: 3, products: 1, changed: { cells: 3 } },
      { rows: 3, cells: 3 },
    ]);
    const fill = [{ kind: 'set', field: 'vendor', value: 'House' }];
    expect(await change(id, { target: { value: 'vendor:' }, operations: fill })).toMatchObject([
      { rows: 2, products: 1, changed: { cells: 1 }, examples: [{ row: 3, before: null, after: 'House' }] },
      { rows: 1, cells: 1 },
    ]);
    expect(await valuesOf(id, { field: 'vendor' })).toMatchObject({
      values: [
        { value: 'Nike', rows: 3 },
        { value: 'House', rows: 2 },
        { value: 'Asics', rows: 2 },
      ],
      empty: 0,
    });
    expect((await valuesOf(id, { field: 'price' })).values).toContainEqual({ value: '11.00', rows: 3 });
  });

  test('are options by name, wherever a product has them, in the counts, the filter and a change', async () => {
    const csv = csvOf([
      ['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value', 'Option2 Name', 'Option2 Value'],
      ['shirt', 'Shirt', '9', 'Size', 'S', 'Color', 'Red'],
      ['shirt', '', '9', '', 's.', '', 'Blue'],
      ['lamp', 'Lamp', '20', 'Color', 'Red', 'Size', 'S'],
      ['lamp', '', '20', '', 'red', '', 'L'],
      ['rope', 'Rope', '5', 'Length', 's.', '', ''],
      ['bowl', 'Bowl', '7', 'Title', 'Default Title', '', ''],
    ]);
    const id = await processed(csv);
    const counted = await valuesOf(id, { field: 'options' });
    expect(counted).toMatchObject({ distinct: 7, rows: 6, empty: 1, isAll: true });
    expect(new Map(counted.values.map(({ value, rows: has }) => [value, has]))).toEqual(
      new Map([
        ...([['Color: Red', 2] as const, ['Size: S', 2] as const] as const),
        ...(['Size: s.', 'Color: Blue', 'Color: red', 'Size: L', 'Length: s.'] as const).map(
          (value) => [value, 1] as const,
        ),
      ]),
    );
    // Spellings of the same option; 's.' of another one is none of them.
    const spellings = counted.clusters.map((cluster) => cluster.map(({ value }) => value));
    expect(spellings).toHaveLength(2);
    expect(spellings).toContainEqual(['Size: S', 'Size: s.']);
    expect(spellings).toContainEqual(['Color: Red', 'Color: red']);

    expect(await rowsWith(id, 'options:Size: S')).toEqual([1, 3]);
    expect(await rowsWith(id, 'options:Color: red')).toEqual([4]);
    expect(await rowsWith(id, 'options:')).toEqual([6]);

    const values = [
      { from: 'Size: s.', to: 'S' },
      { from: 'Color: red', to: 'Red' },
    ];
    expect(await change(id, { target: {}, operations: [{ kind: 'map-options', values }] })).toMatchObject([
      { rows: 6, changed: { cells: 2 } },
      { cells: 2 },
    ]);
    const after = await valuesOf(id, { field: 'options' });
    expect(after).toMatchObject({ distinct: 5, clusters: [] });
    expect(await rowsWith(id, 'options:Size: S')).toEqual([1, 2, 3]);
    expect(await rowsWith(id, 'options:Length: s.')).toEqual([5]);

    // The name of an option is a value like others: an edit of it is counted.
    await edit(id, 1, { option1Name: 'Fit' });
    expect(await rowsWith(id, 'options:Fit: S')).toEqual([1, 2]);
  });

  test('are options with the names that a push sends, whatever names are on the rows themselves', async () => {
    const csv = csvOf([
      ['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value', 'Option2 Name', 'Option2 Value'],
      ['tunic', 'Tunic', '9', 'Size', 'S', '', ''],
      ['tunic', '', '9', 'Fit', 'M', '', ''],
      ['sash', 'Sash', '5', '', 'Red', '', ''],
      ['sash', '', '5', 'Color', 'Blue', '', ''],
      ['sash', '', '5', 'Shade', 'Tan', '', ''],
      // Another row of the first product, which has the name of its second option.
      ['tunic', '', '9', 'Fit', 'L', 'Length', 'Long'],
      ['tunic', '', '9', '', 'XL', '', 'Short'],
      ['plain', 'Plain', 'ask', '', 'One', '', ''],
    ]);
    const id = await processed(csv);
    const counted = await valuesOf(id, { field: 'options' });
    expect(counted).toMatchObject({ rows: 8, empty: 0, isAll: true });
    expect(counted.values.map(({ value }) => value).sort()).toEqual([
      ...['Color: Blue', 'Color: Red', 'Color: Tan', 'Length: Long', 'Length: Short', 'Option 1: One'],
      ...['Size: L', 'Size: M', 'Size: S', 'Size: XL'],
    ]);
    // The same for a row that is read without the others of its product.
    const one = await valuesOf(id, { field: 'options', value: 'options:Size: M' });
    expect(one.values).toEqual([{ value: 'Size: M', rows: 1 }]);
    const operations = [{ kind: 'map-options', values: [{ from: 'Size: L', to: 'Large' }] }];
    const previewed = await call('POST', `/api/queue/${id}/edits/preview`, { target: {}, operations });
    expect(previewed).toMatchObject({ changed: { cells: 1 } });
  });

  test.runIf(isLong).for([0, 1])(
    'are options of products whose rows are all over a long file: %i',
    async (naming) => {
      // More rows together than are looked through for names at a time.
      const [products, rowsOfEach] = [15, 1_400];
      const rows = Array.from({ length: products * rowsOfEach }, (_, at) => {
        const nth = Math.floor(at / products);
        const product = at % products;
        const title = nth === 0 ? `Long ${product} ${naming}` : '';
        return [`long-${product}`, title, '1', nth === naming ? 'Size' : '', `V${nth}`];
      });
      const csv = csvOf([['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value'], ...rows]);
      const id = await processed(csv);
      const last = Array.from({ length: products }, (_, at) => rows.length - products + at + 1);
      expect(await rowsWith(id, 'options:Size: V1399')).toEqual(last);
      const { values } = await valuesOf(id, { field: 'options' });
      expect(values.every(({ value }) => value.startsWith('Size: '))).toBe(true);
    },
  );

  test('are options of columns whose header names them', async () => {
    const csv = csvOf([
      ['Handle', 'Title', 'Price', 'Colour', 'Size'],
      ['tee', 'Tee', '9', 'Red', 'S'],
      ['tee', 'Tee', '9', 'Red', 'M'],
      ['tee', 'Tee', '9', 'Blue', 'M'],
      ['cap', 'Cap', '5', 'Red', 'S'],
      ['cap', 'Cap', '5', 'Blue', 'S'],
    ]);
    const id = await processed(csv);
    expect(await valuesOf(id, { field: 'options', value: 'options:Colour: Red' })).toMatchObject({
      values: [
        { value: 'Colour: Red', rows: 3 },
        { value: 'Size: S', rows: 2 },
        { value: 'Size: M', rows: 1 },
      ],
      rows: 3,
    });
  });

  test('are those after edits', async () => {
    const id = await ofShoes(rows);
    await edit(id, 6, { vendor: 'Puma' });
    const { values } = await valuesOf(id, { field: 'vendor' });
    expect(values).toContainEqual({ value: 'Puma', rows: 1 });
    expect(values.map(({ value }) => value)).not.toContain('Asics');
  });

  test('beyond 50 are only counted, and so are long texts', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [`Shoe ${at}`, '1', `Brand no. ${at}`, '']);
    const long = 'x'.repeat(501);
    const id = await ofShoes([...many, ['Shoe', 'n/a', long, ''], ['Shoe', '1', long, '']]);
    const { values, distinct, rows: read } = await valuesOf(id, { field: 'vendor' });
    expect([values.length, distinct, read]).toEqual([50, 61, 62]);
    expect(values.map(({ value }) => value)).not.toContain(long);
  });

  test('are refused for an unknown field, and for an import that does not exist', async () => {
    const id = await ofShoes(rows);
    expect((await stack.api.call('GET', `/api/queue/${id}/values?field=color`)).status).toBe(400);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await stack.api.call('GET', `/api/queue/${unknown}/values?field=price`)).status).toBe(404);
  });
});
