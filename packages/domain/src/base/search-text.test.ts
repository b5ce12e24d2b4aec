import { expect, test } from 'vitest';
import { toSearchForm, toSearchTerm, toSearchText } from './search-text.ts';

const finds = (text: string, wanted: string) => toSearchForm(text).includes(toSearchTerm(wanted));

test.each([
  ['Blaue Vase', 'BLAU'],
  ['MÜLLER & Söhne', 'müller'],
  ['Mu\u0308ller', 'M\u00fcll'],
  ['白色台灯罩（大号）', '台灯罩'],
  ['Лампа настольная', 'ЛАМП'],
  ['Rabatt 50%_netto', '50%_'],
  ['C:\\vases', ':\\v'],
  ['🪴🪴🪴 pot', '🪴🪴🪴'],
])('%s is found by %s', (text, wanted) => expect(finds(text, wanted)).toBe(true));

test.each([
  ['Muller', 'müll'],
  ['zoeaa', 'ä'],
  ['ä', 'a'],
  ['台', 'pa'],
])('%s is not found by %s', (text, wanted) => expect(finds(text, wanted)).toBe(false));

test('a row is found by title, SKU, UPC, GTIN, vendor and item number, one per line', () => {
  const values = {
    title: 'Vase\0',
    sku: 'V-1',
    upc: '036000291452',
    vendor: 'ACME',
    itemNumber: 'V-1',
    price: '9',
  };
  expect(toSearchText(values, '00036000291452')).toBe(toSearchForm('Vase\uFFFD\nV-1\n00036000291452\nACME'));
  const asWritten = { ...values, upc: '0-36000-29145-2' };
  expect(toSearchText(asWritten, '00036000291452')).toBe(
    toSearchForm('Vase\uFFFD\nV-1\n00036000291452\n0-36000-29145-2\nACME'),
  );
  expect(toSearchText({ price: '9', description: 'A vase' }, null)).toBe('');
});

test('only the beginning of a very long value is searched', () => {
  const text = toSearchText({ title: `${'a'.repeat(999)}bcd` }, null);
  expect(text.endsWith('ab')).toBe(true);
});
