import { expect, test } from 'vitest';
import type { RowValues } from '../../base/canonical-fields.ts';
import { applyOperations, withProductValues } from './apply-operations.ts';
import { createCellReader } from './column-cells.ts';
import { Operation } from './operation.ts';
import type { OperationRow } from './operation-row.ts';

const rowOf = (values: RowValues, more: Partial<OperationRow> = {}): OperationRow => ({
  row: 1,
  values,
  isInTarget: true,
  isIgnored: false,
  isLeftOut: false,
  cell: () => undefined,
  ...more,
});

const apply = (operations: readonly unknown[], rows: OperationRow[], currency: string | null = 'USD') =>
  applyOperations(
    operations.map((one) => Operation.parse(one)),
    { rows, currency },
  );

test('changes several fields, with one change per cell', () => {
  const operations = [
    { kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' },
    { kind: 'round', field: 'price', to: { ending: '.99' }, direction: 'nearest' },
    { kind: 'set', field: 'vendor', value: 'Nike' },
    { kind: 'set', field: 'type', value: 'Shoes' },
  ];
  expect(apply(operations, [rowOf({ title: 'A', price: '$1,234.50', type: 'Shoes' })])).toMatchObject({
    changes: [
      { row: 1, field: 'price', before: '$1,234.50', after: '$1480.99' },
      { row: 1, field: 'vendor', before: null, after: 'Nike' },
    ],
    left: [],
    unchanged: 1,
  });
});

test('changes fields of a product once, on its first row', () => {
  const rows = [
    rowOf({ title: 'Boot', price: '5' }, { row: 4, isInTarget: false }),
    rowOf({ price: '6' }, { row: 5 }),
    rowOf({ price: '7' }, { row: 6 }),
  ];
  const operations = [
    { kind: 'suffix', field: 'title', text: ' new' },
    { kind: 'calculate', field: 'price', by: 'add', amount: '1' },
  ];
  expect(apply(operations, rows).changes).toEqual([
    { row: 4, field: 'title', before: 'Boot', after: 'Boot new' },
    { row: 5, field: 'price', before: '6', after: '7.00' },
    { row: 6, field: 'price', before: '7', after: '8.00' },
  ]);
});

test('pastes into the cells of rows, and into those of a product where it has one value', () => {
  const rows = [
    rowOf({ title: 'Boot', price: '5', vendor: 'Nike' }, { row: 4 }),
    rowOf({ price: '6' }, { row: 5 }),
    rowOf({ price: '7' }, { row: 6, isInTarget: false }),
  ];
  const paste = (field: string, ...cells: [number, string][]) => ({ kind: 'paste', field, cells });
  expect(apply([paste('price', [4, ' 8 '], [5, ''], [6, '9'], [70, '1'])], rows).changes).toEqual([
    { row: 4, field: 'price', before: '5', after: '8' },
    { row: 5, field: 'price', before: '6', after: '' },
  ]);
  // Other rows of the product show the value of the first one.
  const once = apply([paste('vendor', [5, 'Puma'])], rows);
  expect(once.changes).toEqual([{ row: 4, field: 'vendor', before: 'Nike', after: 'Puma' }]);
  expect(apply([paste('vendor', [4, 'Nike'], [5, '']), paste('title', [5, ''])], rows)).toMatchObject({
    changes: [],
    left: [],
  });
  expect(apply([paste('vendor', [4, 'Nike'], [5, 'Puma'])], rows)).toMatchObject({
    changes: [],
    left: [{ row: 4, field: 'vendor', reason: 'several-values' }],
  });
  expect(apply([paste('price', [4, 'soon'], [5, '-1'])], rows).left.map(({ reason }) => reason)).toEqual([
    'not-allowed',
    'not-allowed',
  ]);
});

test('changes nothing in products outside of the target, and no ignored rows', () => {
  const rows = [
    rowOf({ title: 'Boot' }, { row: 1, isIgnored: true }),
    rowOf({ title: 'Shoe' }, { row: 2, isInTarget: false }),
  ];
  const operations = [{ kind: 'set', field: 'title', value: 'X' }];
  expect(apply(operations, rows)).toMatchObject({ changes: [], left: [], unchanged: 0 });
});

test('reads fields of the product on later rows, as they are before each operation', () => {
  const rows = [rowOf({ title: 'Boot', sku: 'a' }), rowOf({ sku: 'b' }, { row: 2 })];
  const operations = [
    { kind: 'take', field: 'sku', from: { field: 'title' } },
    { kind: 'suffix', field: 'title', text: '!' },
  ];
  expect(apply(operations, rows).changes).toEqual([
    { row: 1, field: 'sku', before: 'a', after: 'Boot' },
    { row: 1, field: 'title', before: 'Boot', after: 'Boot!' },
    { row: 2, field: 'sku', before: 'b', after: 'Boot' },
  ]);
});

test('leaves a cell that one of its operations cannot change, and cells computed from it', () => {
  const operations = [
    { kind: 'percent-of', field: 'price', of: 'cost', percent: '180' },
    { kind: 'calculate', field: 'cost', by: 'multiply', amount: '2' },
    { kind: 'percent-of', field: 'compareAtPrice', of: 'cost', percent: '300' },
    { kind: 'calculate', field: 'cost', by: 'subtract', amount: '100' },
  ];
  expect(apply(operations, [rowOf({ price: '1', cost: '10' })])).toMatchObject({
    changes: [{ row: 1, field: 'price', before: '1', after: '18.00' }],
    left: [
      { row: 1, field: 'cost', before: '10', reason: 'no-result' },
      { row: 1, field: 'compareAtPrice', before: null, reason: 'no-result' },
    ],
  });
});

test('gives the reason of the first operation that fails', () => {
  const operations = [
    { kind: 'set', field: 'price', value: 'call us' },
    { kind: 'calculate', field: 'price', by: 'multiply', amount: '2' },
  ];
  expect(apply(operations, [rowOf({ price: '1' })]).left).toEqual([
    { row: 1, field: 'price', before: '1', reason: 'not-a-number' },
  ]);
});

test('checks only the last value of a cell', () => {
  const replace = { kind: 'replace', field: 'price', whole: false, matchCase: true };
  const operations = [
    { ...replace, find: 'from ', with: '' },
    { ...replace, find: ' each', with: '' },
  ];
  expect(apply(operations, [rowOf({ price: 'from 5 each' })]).changes).toMatchObject([{ after: '5' }]);
  expect(apply(operations, [rowOf({ price: 'from 5 or 6' })]).left).toMatchObject([
    { reason: 'not-allowed' },
  ]);
});

test('takes values of fields and columns', () => {
  const cells = createCellReader(['A', 'B', 'B'], { decimalComma: [2] })([' x ', '', '1.299']);
  const take = (field: string, from: object) => ({ kind: 'take', field, from });
  const operations = [take('vendor', { column: 'A' }), take('price', { column: 'B' })];
  const more = [take('type', { column: 'none' }), take('sku', { field: 'upc' })];
  expect(apply([...operations, ...more], [rowOf({ type: 'T' }, { cell: cells })])).toMatchObject({
    changes: [
      { field: 'vendor', after: 'x' },
      { field: 'price', after: '1299' },
    ],
    left: [
      { field: 'type', before: 'T', reason: 'nothing-to-take' },
      { field: 'sku', before: null, reason: 'nothing-to-take' },
    ],
  });
});

test('fills down over rows and products', () => {
  const operations = [
    { kind: 'fill-down', field: 'type' },
    { kind: 'suffix', field: 'type', text: '+' },
    { kind: 'fill-down', field: 'cost' },
  ].map((one) => Operation.parse(one));
  const products = [
    [rowOf({ cost: '3' }, { row: 1 })],
    [rowOf({ type: 'T', cost: '4' }, { row: 2, above: { row: 1, values: { cost: '3' } } })],
    [
      rowOf({}, { row: 3, above: { row: 2, values: { type: 'T', cost: '4' } } }),
      rowOf({}, { row: 4, above: { row: 3, values: {} } }),
    ],
    [rowOf({}, { row: 5, above: { row: 4, values: {} } })],
    [rowOf({}, { row: 9, above: { row: 8, values: { type: 'U' } } })],
  ];
  let carry = null;
  const changes = [];
  const left = [];
  for (const rows of products) {
    const applied = applyOperations(operations, { rows, currency: null }, carry);
    carry = JSON.parse(JSON.stringify(applied.carry));
    changes.push(...applied.changes.map(({ row, field, after }) => `${row} ${field} ${after}`));
    left.push(...applied.left.map(({ row, field, reason }) => `${row} ${field} ${reason}`));
  }
  expect(changes).toEqual([
    ...['2 type T+', '3 type T+', '3 cost 4', '4 cost 4', '5 type T+', '5 cost 4', '9 type U+'],
  ]);
  expect(left).toEqual(['1 type nothing-to-take', '9 cost nothing-to-take']);
});

test('leaves rows out of the push, and puts them back', () => {
  const rows = [rowOf({}), rowOf({}, { row: 2, isLeftOut: true })];
  expect(apply([{ kind: 'leave-out', leaveOut: true }], rows)).toMatchObject({
    changes: [{ row: 1, field: 'leaveOut', before: null, after: 'yes' }],
    unchanged: 1,
  });
  expect(apply([{ kind: 'leave-out', leaveOut: false }], rows)).toMatchObject({
    changes: [{ row: 2, field: 'leaveOut', before: 'yes', after: null }],
    unchanged: 1,
  });
});

test('clears a value, which is no change where there is none', () => {
  const clear = [{ kind: 'clear', field: 'cost' }];
  expect(apply(clear, [rowOf({ cost: 'n/a' }), rowOf({}, { row: 2 })])).toMatchObject({
    changes: [{ row: 1, field: 'cost', before: 'n/a', after: '' }],
    unchanged: 1,
  });
});

test('refuses values that a field cannot have', () => {
  const reasonOf = (field: string, value: string, before: RowValues = {}) =>
    apply([{ kind: 'set', field, value }], [rowOf(before)]).left[0]?.reason;
  expect(reasonOf('status', 'published')).toBe('not-allowed');
  expect(reasonOf('status', 'draft')).toBeUndefined();
  expect(reasonOf('price', 'call us')).toBe('not-allowed');
  expect(reasonOf('price', '0')).toBe('no-result');
  expect(reasonOf('cost', '0')).toBeUndefined();
  expect(reasonOf('quantity', '1.5')).toBe('not-allowed');
  expect(reasonOf('quantity', '-1')).toBe('no-result');
  expect(reasonOf('quantity', '0')).toBeUndefined();
  expect(reasonOf('title', 'x'.repeat(256))).toBe('too-long');
  expect(reasonOf('description', 'x'.repeat(5_000))).toBeUndefined();
  expect(reasonOf('tags', `a, ${'x'.repeat(255)}`)).toBeUndefined();
  expect(reasonOf('tags', `a, ${'x'.repeat(256)}`)).toBe('too-long');
});

test('lets a text that is too long get shorter', () => {
  const before = { title: `${'x'.repeat(299)} y` };
  const cut = (chars: number) => apply([{ kind: 'cut', field: 'title', chars }], [rowOf(before)]);
  expect(cut(300).changes[0]?.after).toHaveLength(299);
  expect(cut(200).changes[0]?.after).toHaveLength(200);
  expect(apply([{ kind: 'suffix', field: 'title', text: '!' }], [rowOf(before)]).left[0]).toEqual({
    row: 1,
    field: 'title',
    before: before.title,
    reason: 'too-long',
    refused: `${before.title}!`,
  });
});

test('adds the fields of the product to the values of a row', () => {
  const first = { title: 'Boot', price: '5' };
  expect(withProductValues({ price: '6' }, first)).toMatchObject({ title: 'Boot', price: '6' });
});

test('replaces values of an option wherever a product has it, and nowhere else', () => {
  const operations = [{ kind: 'map-options', values: [{ from: 'Size: Sm', to: 'S' }] }];
  // The name is on the first row of the product.
  const shirt = [
    rowOf({ option1Name: 'Size', option1Value: 'M', option2Name: 'Color', option2Value: 'Sm' }),
    rowOf({ option1Value: 'Sm', option2Value: 'Red' }, { row: 2 }),
    rowOf({ option1Value: 'Sm' }, { row: 3, isInTarget: false }),
  ];
  expect(apply(operations, shirt)).toMatchObject({
    changes: [{ row: 2, field: 'option1Value', before: 'Sm', after: 'S' }],
    unchanged: 1,
  });
  const lamp = [rowOf({ option1Name: 'Color', option1Value: 'Sm', option2Name: 'Size', option2Value: 'Sm' })];
  expect(apply(operations, lamp).changes).toEqual([
    { row: 1, field: 'option2Value', before: 'Sm', after: 'S' },
  ]);
  const vase = [rowOf({ option1Name: 'Weight', option1Value: 'Sm' })];
  expect(apply(operations, vase)).toMatchObject({ changes: [], unchanged: 0 });
});
