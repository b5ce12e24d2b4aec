import { describe, expect, it, test } from 'vitest';
import { findCellIssues } from '../review/cell-issues.ts';
import { issuesIn } from '../review/issue-set.ts';
import { cellRows } from '../testing/cell-rows.ts';
import { type ColumnAnswers, describeQuestion, mergeAnswers } from './column-questions.ts';
import { explainPrices, explainTypedPrices } from './column-readings.ts';
import { type HeaderMapping, type MappingOverrides, mapHeaders } from './mapping/header-mapping.ts';
import { parsePriceUnit } from './price-headers.ts';
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
    const rows = cellRows('Chair|1.299|1.499,00', 'Table|2.999|3.499,50');
    const mapping = read('Name|Price|RRP', rows);
    expect(pricesOf(mapping, rows)).toEqual(['1299', '2999']);
    expect([mapping.inferred, mapping.questions]).toEqual([[1], undefined]);
  });

  it('is asked about where nothing proves it, once for all columns, and read by the answer', () => {
    const rows = cellRows('Chair|1.299|1.499', 'Table|649|2.999');
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
    expect(question && describeQuestion(question, mapping)).toEqual({
      header: 'Price',
      cells: 1,
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

describe('the unit of a price', () => {
  it('is cents where the header says so and all cells are whole', () => {
    const rows = named('1999', '450', '5');
    const mapping = read('Name|price_cents', rows);
    expect(pricesOf(mapping, rows)).toEqual(['19.99', '4.50', '0.05']);
    expect(mapping.questions).toBeUndefined();
    expect(read('Name|price_cents', named('19.99', '4')).cents).toBeUndefined();
  });

  it('is asked about where it may be cents', () => {
    const rows = named('1999', '450');
    const [question] = read('Name|Price ct', rows).questions ?? [];
    const mapping = read('Name|Price ct', rows);
    expect(question && describeQuestion(question, mapping).sentence).toBe(
      'Price may be in cents: “1999” is 19.99 or 1,999.00.',
    );
    const answered = read('Name|Price ct', rows, { 'Price ct': { reading: 'cents', by: 'operator' } });
    expect([answered.questions, pricesOf(answered, rows)[0]]).toEqual([undefined, '19.99']);
  });

  it('is the currency in the header, unless a column has it', () => {
    const rows = named('49.00');
    expect(readRowValues(rows[0] ?? [], read('Name|Price (EUR)', rows)).currency).toBe('EUR');
    expect(readRowValues(rows[0] ?? [], read('Name|Preis €', rows)).currency).toBe('EUR');
    expect(readRowValues(rows[0] ?? [], read('Name|Price $', rows)).currency).toBeUndefined();
    const both = [['Chair', '49.00', 'USD']];
    expect(readRowValues(both[0] ?? [], read('Name|Price (EUR)|Currency', both)).currency).toBe('USD');
  });

  const dowels = cellRows('Dowel|4,50|100', 'Drill|5,90|1', 'Washer|12,00|1.000');
  const unit = (reading: 'of-one' | 'as-is' | 'no-price'): MappingOverrides => ({
    Preis: { reading, by: 'operator' },
  });

  it('is several pieces where a column says so, which is asked', () => {
    const mapping = read('Name|Preis|Preiseinheit', dowels);
    const [question] = mapping.questions ?? [];
    expect(question && describeQuestion(question, mapping).sentence).toBe(
      'A price of 4,50 is for 100 pieces. Which price should be sent?',
    );
    const prices = (overrides: MappingOverrides) =>
      pricesOf(read('Name|Preis|Preiseinheit', dowels, overrides), dowels);
    expect(prices(unit('as-is'))).toEqual(['4,50', '5,90', '12,00']);
    expect(prices(unit('no-price'))).toEqual([undefined, '5,90', undefined]);
    // 0.045 and 0.012 are no amounts that a store keeps.
    expect(prices(unit('of-one'))).toEqual([undefined, '5,90', undefined]);
  });

  it.each([
    ['100', 'le cent|C|per hundred|pro 100 Stück|% Stk|100 pcs|el ciento|za 100 szt.|百|сто'],
    ['1000', 'le mille|Tausend|per thousand|pro 1.000|1,000 ea|тыс.|por millar'],
    ['12', 'Dutzend|dozen|la douzaine|12 pzas'],
    ['50', 'par 50|50 Stk|per 50 units'],
    ['1', '|1|la pièce|each|Stück|per m|le mètre|m²|kg|paire|1 Stk.|je Rolle|шт.|개'],
    ['null', 'M|Karton|1 Karton|VPE|per bundle|?!x'],
  ])('is for %s pieces by words of its unit', (pieces, cells) => {
    expect(cells.split('|').map((cell) => [cell, String(parsePriceUnit(cell))])).toEqual(
      cells.split('|').map((cell) => [cell, pieces]),
    );
  });

  it('is several pieces where a column for it stands before the unit, and only there', () => {
    const rows = cellRows('Bolt|12,50|100|ST', 'Drill|1.249,00|1|ST');
    expect(read('Name|Preis|pro|ME', rows).questions).toMatchObject([{ kind: 'price-unit', pieces: 100 }]);
    expect(read('Name|Price|Per|UOM', rows).questions).toMatchObject([{ kind: 'price-unit', pieces: 100 }]);
    expect(read('Name|Preis|pro|Lager', rows).priceUnit).toBeUndefined();
  });

  it('is not asked where no unit is of several, and kept where one is not known', () => {
    const rows = cellRows('Rope|4.50|per bundle', 'Drill|5.90|each');
    const mapping = read('Name|Price|Price unit', rows);
    expect(mapping.questions).toBeUndefined();
    expect(pricesOf(mapping, rows)).toEqual(['4.50', '5.90']);
    const issues = rows.map((cells) => issuesIn(findCellIssues((column) => cells[column], mapping)));
    expect(issues).toEqual([['price-of-several'], []]);
  });

  it('is several pieces where the header of the price says so', () => {
    const rows = named('45.00', '120.00');
    const answered = read('Name|Price/100', rows, {
      'Price/100': { reading: 'of-one', by: 'operator' },
    });
    expect(pricesOf(answered, rows)).toEqual(['0.45', '1.20']);
    expect(read('Name|Price/100', rows).questions).toHaveLength(1);
  });
});

test('what a person types is read as screens show amounts, and says so', () => {
  const said = (header: string, cells: string[], price: string, isTyped = true) =>
    explainTypedPrices({ price }, () => isTyped, read(`Name|${header}`, named(...cells))).price;
  const words = (amount: string) => `was typed, so it’s read as ${amount}, unlike its column.`;
  expect(said('Price', ['1.299', '12,50'], '1.5')).toBe(`“1.5” ${words('1.50')}`);
  expect(said('Price', ['1.299', '12,50'], '1,500')).toBe(`“1,500” ${words('1,500.00')}`);
  expect(said('price_cents', ['1999', '450'], '4')).toBe(`“4” ${words('4.00')}`);
  expect(said('price_cents', ['1999', '450'], 'ask')).toBeUndefined();
  expect(said('price_cents', ['1999', '450'], '1999', false)).toBeUndefined();
  expect(said('Price', ['12.50'], '1.5')).toBeUndefined();
});

test('a column that is asked two things keeps both answers', () => {
  const rows = cellRows('Dowel|1.299', 'Drill|649');
  const header = 'Preis pro 100';
  const kinds = (reading?: ColumnAnswers) => {
    const overrides: MappingOverrides = reading ? { [header]: { reading, by: 'operator' } } : {};
    return read(`Name|${header}`, rows, overrides).questions?.map(({ kind }) => kind) ?? [];
  };
  expect(kinds()).toEqual(['decimal-mark', 'price-unit']);
  expect(kinds(',')).toEqual(['price-unit']);
  const both = mergeAnswers(',', 'of-one');
  expect([both, kinds(both)]).toEqual([[',', 'of-one'], []]);
  expect(
    pricesOf(read(`Name|${header}`, rows, { [header]: { reading: both ?? '.', by: 'memory' } }), rows),
  ).toEqual(['12.99', '6.49']);
  expect(mergeAnswers(both, '.')).toEqual(['of-one', '.']);
  expect(mergeAnswers('cents', 'units')).toBe('units');
});

test('what a remembered answer settles is known, so that it can be asked again', () => {
  const rows = cellRows('Chair|1.299', 'Stool|649');
  const answered = (by: 'operator' | 'memory') =>
    read('Name|Price', rows, { Price: { reading: ',', by } }).remembered?.map(({ kind }) => kind);
  expect([answered('memory'), answered('operator')]).toEqual([['decimal-mark'], undefined]);
});

test('a price says how its text was read, and what shows it', () => {
  const rows = cellRows('Chair|1.299|12,50', 'Stool|649|9,90');
  const said = (headers: string, cells: string[][]) =>
    cells.map((row) => explainPrices(row, read(headers, cells)));
  expect(said('Name|Price|RRP', rows)).toEqual([
    {
      price: '“1.299” is read with a decimal comma, as other prices of the file show.',
      compareAtPrice: '“12,50” is read with a decimal comma, as other cells of its column show.',
    },
    { compareAtPrice: '“9,90” is read with a decimal comma, as other cells of its column show.' },
  ]);
  expect(said('Name|price_cents', named('1999'))).toEqual([
    { price: '“1999” is in cents, as the header “price_cents” shows.' },
  ]);
  expect(said('Name|Price', named('12.50'))).toEqual([{}]);
  expect(said('Name|Price', named('12,50', 'from 19,95', '24,50 - 39,50')).slice(1)).toEqual([{}, {}]);
});
