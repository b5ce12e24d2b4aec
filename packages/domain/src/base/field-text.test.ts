import { expect, it } from 'vitest';
import type { CanonicalField } from './canonical-fields.ts';
import { cleanFieldText } from './field-text.ts';

it.each<[CanonicalField, string[]]>([
  ['vendor', ['NaN', 'nan', 'NULL', 'None', 'False', '-', '—', 'n/a', '(blank)', '\\N']],
  ['sku', ['nan', 'False', '<NA>', 'null', '-', 'N/A', 'undefined']],
  ['title', ['nan', 'NULL', 'False', 'None']],
  ['price', ['nan', 'NULL', 'False']],
  ['option1Value', ['nan', 'NULL']],
  ['quantity', ['nan', 'NULL']],
])('of %s, the words of programs for nothing are no value', (field, texts) => {
  for (const text of texts) expect([text, cleanFieldText(text, field)]).toEqual([text, '']);
});

it.each<[CanonicalField, string[]]>([
  [
    'title',
    [
      '-18 °C box',
      "'Tis the season",
      "'90s poster",
      'Nandu',
      'A < B',
      'Nullarbor',
      'Size <M>',
      'None so blue',
    ],
  ],
  ['quantity', ['False', 'None', '0', '-']],
  ['trackQuantity', ['False', 'None']],
  ['option1Value', ['-', 'None of these', '0']],
  ['price', ['-', '0', '12.50']],
  ['sku', ['A-1', '0', "O'Neill-1"]],
])('of %s, other texts stay', (field, texts) => {
  for (const text of texts) expect(cleanFieldText(text, field)).toBe(text);
});

it.each<[CanonicalField, string, string]>([
  ['title', "'=5 ways", '=5 ways'],
  ['title', "'+10 lens", '+10 lens'],
  ['sku', "'00123", '00123'],
  ['sku', "'A-1", 'A-1'],
  ['title', 'Round<br/>table', 'Round table'],
  ['title', '<b>Oak</b> bench', 'Oak bench'],
  ['vendor', '<span class="x">Nord</span>', 'Nord'],
  ['title', 'Oak\r\nbench  long', 'Oak\r\nbench  long'],
  ['description', 'One.\\nTwo.\\r\\nThree.', 'One.\nTwo.\nThree.'],
])('the %s of %j is %j', (field, text, read) => {
  expect(cleanFieldText(text, field)).toBe(read);
});
