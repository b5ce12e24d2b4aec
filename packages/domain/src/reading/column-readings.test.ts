import { describe, expect, it, test } from 'vitest';
import { questionWords } from './column-readings.ts';
import { type HeaderMapping, type MappingOverrides, mapHeaders } from './mapping/header-mapping.ts';
import { readRowValues } from './row-values.ts';

const read = (headers: string, rows: string[][], overrides: MappingOverrides = {}) =>
  mapHeaders(headers.split('|'), rows, overrides);
const pricesOf = (mapping: HeaderMapping, rows: string[][]) =>
  rows.map((cells) => readRowValues(cells, mapping).price);
const named = (...prices: string[]) => prices.map((price, at) => [`Chair ${at}`, price]);

describe('a price that could be read in two ways', () => {
  it.each([
    ['follows the cells of its column', ['1.299', '12,50', '449'], '1299'],
    ['follows groups that stand twice', ['1.299', '1.250.000'], '1299'],
    ['follows four digits before the mark', ['1.299', '1299.500'], '1.299'],
    ['is grouped where whole numbers end in 0', ['1.299', '189', '2.450', '649'], '1299'],
    ['follows a dash in place of decimals', ['1.299', '2.450,-'], '1299'],
  ])('%s', (_, prices, first) => {
    const rows = named(...prices);
    const mapping = read('Name|Price', rows);
    expect(pricesOf(mapping, rows)[0]).toBe(first);
    expect(mapping.questions).toBeUndefined();
  });

  it('follows the other columns of money, and says so', () => {
    const rows = [
      ['Chair', '1.299', '1.499,00'],
      ['Table', '2.999', '3.499,50'],
    ];
    const mapping = read('Name|Price|RRP', rows);
    expect(pricesOf(mapping, rows)).toEqual(['1299', '2999']);
    expect([mapping.inferred, mapping.questions]).toEqual([[1], undefined]);
  });

  it('is asked about where nothing proves it, once for all columns, and read by the answer', () => {
    const rows = [
      ['Chair', '1.299', '1.499'],
      ['Table', '649', '2.999'],
    ];
    const mapping = read('Name|Price|RRP', rows);
    expect(mapping.questions).toEqual([
      {
        column: 1,
        kind: 'decimal-mark',
        cells: 1,
        examples: [{ cell: '1.299', readings: ['1.299', '1299'] }],
      },
    ]);
    const [question] = mapping.questions ?? [];
    expect(question && questionWords(question, mapping)).toEqual({
      header: 'Price',
      sentence: 'Price can be read in two ways: “1.299” is 1.30 or 1,299.00.',
      answers: [
        { reading: '.', words: '1.30' },
        { reading: ',', words: '1,299.00' },
      ],
    });
    const answered = read('Name|Price|RRP', rows, { Price: { reading: ',', by: 'operator' } });
    expect(answered.questions).toBeUndefined();
    expect(readRowValues(rows[0] ?? [], answered)).toMatchObject({ price: '1299', compareAtPrice: '1499' });
    expect(answered.columns[1]).not.toHaveProperty('setBy');
  });

  it('is read by its cells and not by an answer that they contradict', () => {
    const rows = named('1.299', '12.50');
    const answered = read('Name|Price', rows, { Price: { reading: ',', by: 'memory', from: 'may.csv' } });
    expect(pricesOf(answered, rows)).toEqual(['1.299', '12.50']);
  });

  it('is asked about where cells of its column prove both', () => {
    const rows = named('1.299', '12,50', '12.50');
    expect(read('Name|Price', rows).questions).toHaveLength(1);
  });
});

test('pieces have no thousandths, unless all are written so', () => {
  const quantity = (...cells: string[]) => {
    const rows = cells.map((cell, at) => [`Chair ${at}`, '12.50', cell]);
    const mapping = read('Name|Price|Quantity', rows);
    return [readRowValues(rows[0] ?? [], mapping).quantity, mapping.questions?.length ?? 0];
  };
  expect(quantity('1.234', '40')).toEqual(['1234', 0]);
  expect(quantity('5.000', '12.000')).toEqual(['5.000', 0]);
});

test('weights are never asked about', () => {
  const rows = [['Chair', '12', '1.250']];
  expect(read('Name|Price|Weight (kg)', rows).questions).toBeUndefined();
});
