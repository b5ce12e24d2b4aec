import { expect, test } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { cleanItemKey, itemKeyOf } from './item-key.ts';

test.each<[string, RowValues, string | null]>([
  ['a SKU', { sku: 'va-1', itemNumber: '7', upc: '4006381333931' }, 's:VA-1'],
  ['an item number', { itemNumber: '0007', upc: '4006381333931' }, 's:0007'],
  ['white space of any kind', { sku: '\u00a0va  1\t\u00a0b ' }, 's:VA 1 B'],
  ['a composed and a decomposed letter', { sku: 'u\u0308-1' }, 's:Ü-1'],
  ['a GTIN without its zero', { upc: '36000291452', handle: 'vase' }, 'g:00036000291452'],
  ['no GTIN, so the handle', { upc: '36000291453', handle: 'vase', title: 'Vase' }, 'h:VASE|||'],
  ['a handle with options', { handle: 'vase', option1Value: 'S', option2Value: 'red' }, 'h:VASE|S|RED|'],
  [
    'a further picture',
    { handle: 'vase', image: 'https://a.example/2.jpg' },
    'h:VASE|HTTPS://A.EXAMPLE/2.JPG',
  ],
  ['a title alone', { title: 'Vase' }, null],
  ['white space alone', { sku: '\u00a0', handle: ' ' }, null],
])('an item is identified by %s', (_name, values, key) => {
  expect(itemKeyOf(values)).toBe(key);
});

test('long keys that differ at their ends stay different, and short enough for an index', () => {
  const [a, b] = ['a', 'b'].map((end) => itemKeyOf({ sku: `${'x'.repeat(100_000)}${end}` }) ?? '');
  expect(a).not.toBe(b);
  expect([a?.length, b?.length].every((length) => length !== undefined && length < 220)).toBe(true);
});

test.each<[string, RowValues, RowValues]>([
  ['a character that nobody sees', { sku: 'a\u200b-1' }, { sku: 'a-1' }],
  ['such a one in a handle', { handle: 'va\u200bse' }, { handle: 'vase' }],
  ['an entity', { handle: 'vase', option1Value: 'Black &amp; blue' }, { option1Value: 'Black & blue' }],
  [
    'entities of letters',
    { option1Value: 'Gr&uuml;n', option2Value: 'Caf&#233;&#xE9;' },
    { option1Value: 'Grün', option2Value: 'Caféé' },
  ],
  ['a space', { option1Value: 'Pale&nbsp; red' }, { option1Value: 'Pale red' }],
  ['the decimal of a script', { sku: '10045.0' }, { sku: '10045' }],
  ['the apostrophe of a spreadsheet', { sku: "'00123" }, { sku: '00123' }],
  ['a soft hyphen', { sku: 'AB\u00ad-1' }, { sku: 'AB-1' }],
  ['what was encoded twice', { option1Value: 'GrÃ¼n' }, { option1Value: 'Grün' }],
])('a key is that of cleaned cells without %s', (_name, before, now) => {
  const key = (values: RowValues) => itemKeyOf({ ...(values.sku ? {} : { handle: 'vase' }), ...values });
  expect(key(before)).not.toBe(key(now));
  expect(cleanItemKey(key(before) ?? '')).toBe(key(now));
  expect(cleanItemKey(key(now) ?? '')).toBe(key(now));
});
