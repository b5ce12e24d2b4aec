import { expect, test } from 'vitest';
import { type CanonicalField, canonicalFields, type RowValues } from '../base/canonical-fields.ts';
import { convertDecimalComma } from '../base/money.ts';
import { validateRow } from '../review/validate-row.ts';
import { cellRows } from '../testing/cell-rows.ts';
import { pick, type Random, seededRandom } from '../testing/random.ts';
import { fieldsByGroup, itemOf } from './item-hashes.ts';
import { type FieldGroup, fieldGroups } from './list.ts';
import { normalizeText } from './plain-value.ts';

const itemIn = (values: RowValues) => itemOf(values, validateRow(values, {}));

function changed(before: RowValues, after: RowValues): FieldGroup[] {
  const [a, b] = [itemIn(before), itemIn(after)];
  return fieldGroups.filter((_, at) => a?.hashes[at] !== b?.hashes[at]);
}

const grouped = (whole: string, mark: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, mark);

/** Notations of an amount. */
const moneyForms: ((whole: string, cents: string) => string)[] = [
  (whole, cents) => `${whole}.${cents}`,
  (whole, cents) => `${whole}.${cents}000`,
  (whole, cents) => (cents === '00' ? whole : `${whole}.${cents.replace(/0$/, '')}`),
  (whole, cents) => `$${grouped(whole, ',')}.${cents}`,
  (whole, cents) => `${grouped(whole, '.')},${cents}`,
  (whole, cents) => `${grouped(whole, '\u00a0')},${cents}`,
  (whole, cents) => `${grouped(whole, '’')}.${cents}`,
  (whole, cents) => `00${whole},${cents}`,
  // In a column with decimal commas.
  (whole, cents) => convertDecimalComma(cents === '00' ? grouped(whole, '.') : `${whole},${cents}0`),
];

/** A notation of each kind of value; called twice with equal first arguments, the two mean the same. */
const kinds: Record<string, (of: Random, form: Random) => string> = {
  text(of, form) {
    const words = Array.from({ length: 1 + of(5) }, () =>
      pick(of, ['Chêne', 'Oak', 'Größe', '花瓶', 'x', '½', 'Œuvre', '1-2,3', '🏺', 'Ångström', 'Стол']),
    );
    const spaces = [' ', '\u00a0', '  ', '\r\n', '\n', '\t', '\u2009 '];
    const text = words.map((word) => `${word}${pick(form, spaces)}`).join('');
    return [text, text.normalize('NFD'), ` ${text}`, text.trim()][form(4)] as string;
  },
  money(of, form) {
    return pick(form, moneyForms)(String(1 + of(2_000_000)), pick(of, ['00', '50', '99', '05']));
  },
  quantity(of, form) {
    const quantity = of(5000);
    return pick(form, [
      `${quantity}`,
      ` ${quantity}`,
      `${quantity}.0`,
      `${quantity},00`,
      `00${quantity}`,
      `default=${quantity - 1},annex=1`,
    ]);
  },
  weight(of, form) {
    const grams = 10 * (1 + of(999));
    return pick(form, [
      `${grams} g`,
      `${grams / 1000} kg`,
      `${(grams / 1000).toFixed(3)}KG`,
      `${String(grams / 1000).replace('.', ',')} kgs.`,
      `${grams}g`,
    ]);
  },
  code(of, form) {
    const code = pick(of, ['00036000291452', '04006381333931', '00000096385074']);
    const shortest = code.replace(/^0+/, '');
    const printed = shortest.length <= 8 ? shortest.padStart(8, '0') : shortest.padStart(12, '0');
    return pick(form, [code, printed, `'${printed}`, ` ${printed.slice(0, 6)}-${printed.slice(6)}`]);
  },
  list(of, form) {
    const entries = [
      ...new Set(Array.from({ length: 1 + of(4) }, () => pick(of, ['Été', 'oak', 'a b', '茶']))),
    ];
    const from = form(entries.length);
    const turned = [...entries.slice(from), ...entries.slice(0, from)];
    const text = turned.join(pick(form, [',', ', ', ' ; ', '|', '\n']));
    return form(2) === 0 ? text : text.normalize('NFD');
  },
  addresses(of, form) {
    const names = Array.from({ length: 1 + of(3) }, (_, at) => `https://a.example/${of(9)}-${at}.jpg`);
    return names.join(pick(form, [', ', ' ; ', '|', '\n', ' ', ' | ']));
  },
  status: (of, form) => pick(form, pick(of, cellRows('Active|active|PUBLISHED', 'archived|Archive'))),
  tracked: (of, form) => pick(form, pick(of, cellRows('shopify|Yes', 'none|No|not tracked'))),
  sold: (of, form) => pick(form, pick(of, cellRows('deny|No', 'continue|TRUE|allow'))),
};

const kindOf: Partial<Record<CanonicalField, keyof typeof kinds>> = {
  ...{ price: 'money', compareAtPrice: 'money', cost: 'money', quantity: 'quantity', weight: 'weight' },
  ...{ upc: 'code', tags: 'list', collections: 'list', image: 'addresses', moreImages: 'addresses' },
  ...{ status: 'status', trackQuantity: 'tracked', continueSelling: 'sold' },
};

/** A row that `of` decides, in notations that `form` decides. */
function randomRow(seed: number, form: Random): RowValues {
  const of = seededRandom(seed);
  const values: RowValues = { sku: `A-${of(1000)}` };
  for (const field of canonicalFields) {
    if (of(3) === 0 || ['sku', 'currency', 'weightUnit'].includes(field)) continue;
    values[field] = kinds[kindOf[field] ?? 'text']?.(of, form) ?? '';
  }
  return values;
}

test('another notation of a row is no change', () => {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const [before, after] = [2 * seed, 2 * seed + 1].map((other) =>
      randomRow(seed, seededRandom(other * 7919)),
    );
    expect(itemIn(after ?? {}), `seed ${seed}`).toEqual(itemIn(before ?? {}));
  }
});

test.each<[string, RowValues, RowValues]>([
  ['the currency in its own column', { price: '€ 1.299,00' }, { price: '1299', currency: 'EUR' }],
  ['a weight with its unit in a column', { weight: '1,5 kg' }, { weight: '1500', weightUnit: 'g' }],
  ['ounces, rounded', { weight: '1500 g' }, { weight: '52.91 oz' }],
  ['pounds, rounded', { weight: '1.5 kg' }, { weight: '3.307', weightUnit: 'lbs' }],
  ['half a gram in two units', { weight: '1.0005 kg' }, { weight: '1000.5 g' }],
  ['11 digits of a UPC', { upc: '036000291452' }, { upc: '36000291452' }],
])('%s is no change', (_name, before, after) => {
  expect(changed({ sku: '1', ...before }, { sku: '1', ...after })).toEqual([]);
});

test.each<[FieldGroup[], RowValues, RowValues]>([
  [['price'], { price: '12' }, { price: '12.01' }],
  [['price'], { price: '12' }, { price: '€12' }],
  [['price'], { price: '12' }, { price: 'on request' }],
  [['price'], { price: '2', cost: '3' }, { price: '3', cost: '2' }],
  [['price'], { cost: '3' }, {}],
  [['stock'], { quantity: '1' }, { quantity: '2' }],
  [['stock'], { continueSelling: 'deny' }, { continueSelling: 'continue' }],
  [['text', 'letters'], { title: 'Vase' }, { title: 'Vase 2' }],
  [['text'], { title: 'Théière' }, { title: 'ThÃ©iÃ¨re' }],
  [['text'], { vendor: 'Acme' }, { vendor: 'ACME' }],
  [['text'], { tags: 'a, b' }, { tags: 'a, b, c' }],
  [['text'], { vendor: 'A', type: 'B' }, { vendor: 'B', type: 'A' }],
  [['codes'], { upc: '036000291452' }, { upc: '4006381333931' }],
  [['codes'], { tcin: '0012' }, { tcin: '12' }],
  [['options'], { weight: '1 kg' }, { weight: '1 lb' }],
  [['options'], { option1Value: 'S' }, { option1Value: 'M' }],
  [
    ['pictures'],
    { image: 'https://a.example/1, https://a.example/2' },
    { image: 'https://a.example/2, https://a.example/1' },
  ],
  [['other'], { status: 'active' }, { status: 'archived' }],
])('a change of %j', (groups, before, after) => {
  expect(changed({ sku: '1', ...before }, { sku: '1', ...after })).toEqual(groups);
});

test('every field is in one group, and the title in that of its letters too', () => {
  const fields = fieldGroups.flatMap((group): readonly CanonicalField[] => fieldsByGroup[group]);
  expect(fields.toSorted()).toEqual([...canonicalFields, 'title'].toSorted());
});

test.each<[RowValues, number | null, number | null, number | null]>([
  [{ price: '$1,299.5', quantity: '12.0', upc: '36000291452' }, 12_995_000, 12, 36_000_291_452],
  [{ price: '0.00005', quantity: '-2', upc: '1' }, 1, null, null],
  [{ price: '9'.repeat(40), quantity: '9'.repeat(12) }, null, null, null],
  [{}, null, null, null],
])('the numbers of %j', (values, price, quantity, gtin) => {
  expect(itemIn({ sku: '1', ...values })).toMatchObject({ price, quantity, gtin });
});

test('texts of any length and of one character', () => {
  for (const text of ['a', 'ä', '花', 'a b', `${'x'.repeat(20_000)}ü`, `${'花 '.repeat(9000)}x`]) {
    expect(changed({ sku: '1', description: ` ${text}\u00a0` }, { sku: '1', description: text })).toEqual([]);
    expect(normalizeText(` ${text}\u00a0`)).toBe(text);
  }
});
