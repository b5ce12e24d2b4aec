import { expect, test } from 'vitest';
import { Operation } from './operation.ts';
import { describeOperations } from './operations-sentence.ts';

const field = 'price';
const title = { field: 'title' };

test.each<[object[], string]>([
  [
    [
      { kind: 'calculate', field, by: 'multiply', amount: '1.2' },
      { kind: 'round', field, to: { ending: '.99' }, direction: 'nearest' },
    ],
    'Price × 1.2, to .99',
  ],
  [[{ kind: 'set', field: 'vendor', value: 'Nike' }], 'Brand set to “Nike”'],
  [[{ kind: 'leave-out', leaveOut: true }], 'Left out of the push'],
  [[{ kind: 'leave-out', leaveOut: false }], 'Put back into the push'],
  [[{ kind: 'add-tags', tags: ['sale'] }], 'Tags: “sale” added'],
  [[{ kind: 'remove-tags', tags: ['a', 'b', 'c', 'd'] }], 'Tags: 4 tags removed'],
  [[{ kind: 'clear', field: 'upc' }], 'UPC cleared'],
  // Not how many cells were pasted: some may be refused.
  [[{ kind: 'paste', field, cells: [[1, '5']] }], 'Price pasted'],
  [[{ kind: 'take', ...title, from: { field: 'sku' } }], 'Title taken from SKU'],
  [[{ kind: 'take', ...title, from: { column: 'Name' } }], 'Title taken from column “Name”'],
  [[{ kind: 'fill-down', field: 'type' }], 'Type filled down'],
  [
    [{ kind: 'replace', ...title, find: 'a', with: 'b', whole: false, matchCase: true }],
    'Title: “a” replaced by “b”',
  ],
  [
    [{ kind: 'replace', ...title, find: 'n/a', with: '', whole: true, matchCase: true }],
    'Title: “n/a” as the whole value removed',
  ],
  [
    [
      { kind: 'prefix', ...title, text: 'x' },
      { kind: 'suffix', ...title, text: 'y' },
      { kind: 'trim', ...title },
    ],
    'Title: “x” added at the start, “y” added at the end, extra spaces removed',
  ],
  [[{ kind: 'case', ...title, to: 'title' }], 'Title in title case'],
  [[{ kind: 'cut', ...title, chars: 255 }], 'Title cut to 255 characters'],
  [
    [{ kind: 'map', field: 'vendor', values: [{ from: 'NIKE', to: 'Nike' }] }],
    'Brand: “NIKE” replaced by “Nike”',
  ],
  [
    [{ kind: 'map', field: 'vendor', values: Array.from({ length: 3 }, () => ({ from: 'a', to: '' })) }],
    'Brand: 3 values replaced',
  ],
  [[{ kind: 'map-options', values: [{ from: 'Size: Sm', to: 'S' }] }], 'Options: “Size: Sm” replaced by “S”'],
  [
    [
      { kind: 'map-options', values: [{ from: 'Size: Sm', to: 'S' }] },
      { kind: 'set', field: 'option1Value', value: 'S' },
      { kind: 'map-options', values: [{ from: 'Fit: Sm', to: 'S' }] },
    ],
    'Options: “Size: Sm” replaced by “S”, option 1 value set to “S”, options: “Fit: Sm” replaced by “S”',
  ],
  [[{ kind: 'calculate', field, by: 'percent', amount: '-10' }], 'Price − 10%'],
  [[{ kind: 'calculate', field, by: 'subtract', amount: '-4' }], 'Price + 4'],
  [[{ kind: 'calculate', field, by: 'divide', amount: '2' }], 'Price ÷ 2'],
  [[{ kind: 'percent-of', field, of: 'cost', percent: '180' }], 'Price set to 180% of cost'],
  [[{ kind: 'margin', percent: '40' }], 'Price set to a margin of 40%'],
  [
    [{ kind: 'round', field, to: { step: '0.05' }, direction: 'up' }],
    'Price rounded up to a multiple of 0.05',
  ],
  [
    [
      { kind: 'clear', field: 'cost' },
      { kind: 'round', field, to: { ending: '9' }, direction: 'down' },
      { kind: 'leave-out', leaveOut: true },
    ],
    'Cost cleared, price rounded down to a whole number ending in 9, left out of the push',
  ],
])('describes %j', (operations, sentence) => {
  expect(describeOperations(operations.map((one) => Operation.parse(one)))).toBe(sentence);
});

test('cuts long texts', () => {
  const set = (value: string): Operation => ({ kind: 'set', field: 'title', value });
  expect(describeOperations([set('x'.repeat(100))])).toBe(`Title set to “${'x'.repeat(40)}…”`);
  expect(describeOperations(Array.from({ length: 10 }, () => set('x'.repeat(100))))).toHaveLength(241);
});
