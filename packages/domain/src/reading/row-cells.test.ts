import { expect, it } from 'vitest';
import { type CanonicalField, canonicalFields, type RowValues } from '../base/canonical-fields.ts';
import { pick, seededRandom } from '../testing/random.ts';
import { type HeaderMapping, mapHeaders } from './mapping/header-mapping.ts';
import { toRecordCells } from './row-cells.ts';
import { readRowValues } from './row-values.ts';

const mappingOf = (sources: HeaderMapping['sources'], more: Partial<HeaderMapping> = {}): HeaderMapping => ({
  columns: [],
  sources,
  ...more,
});

it('writes each value to the first column of its field', () => {
  const headers = ['SKU', 'Title', 'Note', 'Shopify Price', 'Unit Retail', 'Image 1', 'Image 2'];
  const values = { title: 'Vase', sku: 'VA-1', price: '24.90', image: 'a', moreImages: 'b\nc' };
  expect(toRecordCells(values, mapHeaders(headers), headers.length)).toEqual({
    cells: ['VA-1', 'Vase', '', '24.90', '', 'a', 'b\nc'],
    left: {},
  });
});

it('leaves values without a column', () => {
  const values = { title: 'Vase', upc: '4006381333931', weight: '2' };
  expect(toRecordCells(values, mapHeaders(['Name', 'Price']), 2)).toEqual({
    cells: ['Vase', ''],
    left: { upc: '4006381333931', weight: '2' },
  });
});

it('leaves a value whose column is read as two fields', () => {
  const mapping = mappingOf({ title: [0], sku: [1], itemNumber: [1] });
  const values = { title: 'Vase', sku: 'VA-1' };
  expect(toRecordCells(values, mapping, 2)).toEqual({ cells: ['Vase', ''], left: { sku: 'VA-1' } });
});

it('writes amounts so that decimal commas read them back', () => {
  const mapping = mappingOf({ price: [0], weight: [1], cost: [2] }, { decimalComma: [0, 1, 2] });
  const values = { price: '24.90', weight: '1.250', cost: '1250' };
  expect(toRecordCells(values, mapping, 3)).toEqual({ cells: ['24.90', '1,250', '1250'], left: {} });
});

it('leaves texts with white space at their ends, which no cell keeps', () => {
  const mapping = mappingOf({ title: [0], description: [1] });
  expect(toRecordCells({ title: ' Vase ', description: ' ' }, mapping, 2)).toEqual({
    cells: ['', ''],
    left: { title: ' Vase ', description: ' ' },
  });
});

it('gives cells and left values that are the values together, for any mapping', () => {
  const random = seededRandom(7_049);
  const texts = [
    'Vase',
    '24.90',
    '1.250',
    '1,250',
    '1.299',
    '12',
    ' x',
    'a\nb',
    'a\0b',
    '0.001',
    'Größe',
    '\0',
  ];
  let inCells = 0;
  for (let round = 0; round < 5_000; round += 1) {
    const columns = 1 + random(8);
    const sources: Partial<Record<CanonicalField, number[]>> = {};
    for (let n = random(12); n > 0; n -= 1) {
      sources[pick(random, canonicalFields)] = Array.from({ length: 1 + random(3) }, () => random(columns));
    }
    const decimalComma = Array.from({ length: columns }, (_, at) => at).filter(() => random(3) === 0);
    const optionNames = random(4) === 0 ? { option1Name: 'Color' } : undefined;
    const mapping = mappingOf(sources, { decimalComma, ...(optionNames && { optionNames }) });
    const fields = canonicalFields.filter((field) => !field.endsWith('Name') && random(3) === 0);
    const values: RowValues = Object.fromEntries(fields.map((field) => [field, pick(random, texts)]));

    const { cells, left } = toRecordCells(values, mapping, columns);

    const read = readRowValues(cells, mapping);
    expect({ ...left, ...read }, JSON.stringify({ values, mapping })).toEqual({ ...values, ...optionNames });
    expect(Object.keys(left).filter((field) => field in read)).toEqual([]);
    expect(cells).toHaveLength(columns);
    inCells += Object.keys(read).length;
  }
  expect(inCells).toBeGreaterThan(1_000);
});
