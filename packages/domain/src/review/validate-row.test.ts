import { describe, expect, it } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { untrackedIfNew } from '../base/field-choices.ts';
import { createGrouper } from '../products/grouping.ts';
import { listVariantRows } from '../products/variant-rows.ts';
import { issuesIn, toIssueSet } from './issue-set.ts';
import type { RowClass } from './row-rule.ts';
import {
  checkRow,
  createProductValidator,
  validateRow,
  validateProduct as validateWhole,
} from './validate-row.ts';

const validateProduct = (rows: readonly RowValues[]) => rows.map(createProductValidator());

it.each<[string | undefined, string | undefined, RowClass]>([
  ['Vase', '10', 'valid'],
  ['Vase', '0', 'valid'],
  ['Vase', '59,99 €', 'valid'],
  ['Vase', 'on request', 'warning'],
  ['Vase', undefined, 'warning'],
  ['  ', '10', 'warning'],
  [undefined, '10', 'warning'],
  [undefined, 'on request', 'error'],
  ['', '', 'error'],
])('title %j with price %j is %s', (title, price, expected) => {
  expect(checkRow({ title, price }, {}).class).toBe(expected);
});

describe('validateRow', () => {
  it('keeps the amount as decimal text and a valid UPC as 14 digits', () => {
    const row = validateRow({ title: 'Lamp', price: '$1,234.50', upc: '036000291452' }, {});
    expect(row).toMatchObject({ class: 'valid', price: '1234.50', gtin: '00036000291452', issues: 0 });
  });

  it('counts a price that is not a number as missing, with an issue', () => {
    expect(validateRow({ title: 'Lamp', price: 'call us' }, {})).toMatchObject({
      class: 'warning',
      price: null,
      issues: toIssueSet(['price-not-numeric']),
    });
  });

  it('names what is missing in an empty row', () => {
    expect(validateRow({}, {})).toMatchObject({
      class: 'error',
      issues: toIssueSet(['title-missing', 'price-missing']),
    });
  });

  it('validates a row of a group with inherited values, without storing them as its own', () => {
    const first = { title: 'Vase', price: '10' };
    const variant = { sku: 'V-2', price: '12' };
    const image = { image: 'https://example.com/2.jpg' };
    expect(validateProduct([first, variant, image])).toMatchObject([
      { class: 'valid', price: '10' },
      { class: 'valid', price: '12' },
      { class: 'valid', price: null },
    ]);
  });

  it('validates the rows of a product as while a file is read', () => {
    const rows: RowValues[] = [
      {},
      { title: 'Vase' },
      { price: '10' },
      { title: 'Vase', price: '10' },
      { price: 'ask' },
      { image: 'https://example.com/2.jpg' },
      { image: 'https://example.com/2.jpg', option1Value: 'M' },
      { title: 'Other', image: 'https://example.com/2.jpg' },
    ].map((values) => ({ handle: 'vase', ...values }));
    for (const first of rows) {
      for (const second of rows) {
        for (const third of rows) {
          const groups = createGrouper({ kind: 'rows', byHandle: true, byParentSku: false });
          const product = [first, second, third];
          const read = product.map((values) => validateRow(values, groups(values).inherited));
          expect(validateProduct(product)).toEqual(read);
        }
      }
    }
  });

  it('reports a UPC with a wrong check digit without changing the class', () => {
    expect(validateRow({ title: 'Lamp', price: '1', upc: '036000291453' }, {})).toMatchObject({
      class: 'valid',
      gtin: null,
      issues: toIssueSet(['upc-check-digit']),
    });
  });
});

describe('a price of 0', () => {
  const issuesOf = (rows: readonly RowValues[], hasParents: boolean) =>
    rows.map(createProductValidator({ currency: null, hasParents })).map(({ issues }) => issuesIn(issues));

  it.each(['0', '0.00', '$0', '0,00 €'])('is an issue of a valid row: %s', (price) => {
    expect(validateRow({ title: 'Vase', price }, {})).toMatchObject({
      class: 'valid',
      issues: toIssueSet(['price-zero']),
    });
  });

  it('is none of a row that adds only an image, or repeats a price in another currency', () => {
    const first = { title: 'Vase', price: '0', sku: 'V', currency: 'USD' };
    const image = { image: 'https://example.com/2.jpg' };
    expect(issuesOf([first, image, { sku: 'V', price: '0', currency: 'EUR' }], false)).toEqual([
      ['price-zero'],
      [],
      ['price-repeated'],
    ]);
  });

  it('is none of a row that is only the parent of others', () => {
    const parent = { title: 'Vase', price: '0', sku: 'V' };
    const sizes = ['S', 'M'].map((option1Value) => ({ price: '9', sku: `V-${option1Value}`, option1Value }));
    const children = sizes.map(({ price, sku }) => ({ title: 'Vase', price, sku, parentSku: 'V' }));
    for (const others of [sizes, children]) {
      expect(listVariantRows([parent, ...others])).toEqual(others);
      expect(issuesOf([parent, ...others], true)).toEqual([[], [], []]);
    }
    // A row with stock, an option, or a parent is sent.
    for (const own of [{ quantity: '5' }, { option1Value: 'Default Title' }, { parentSku: 'P' }]) {
      expect(issuesOf([{ ...parent, ...own }], true)).toEqual([['price-zero']]);
    }
    // In a file without such columns, so is any row.
    expect(issuesOf([parent], false)).toEqual([['price-zero']]);
  });
});

describe('the first row of a product without a price', () => {
  const parent = { title: 'Vase', sku: 'V' };
  const children = ['S', 'M'].map((size) => ({ title: size, price: '9', sku: `V-${size}`, parentSku: 'V' }));
  const found = (rows: readonly RowValues[], hasParents = true) =>
    validateWhole(rows, { currency: null, hasParents }).map((row) => [row.class, ...issuesIn(row.issues)]);
  const [valid, missing] = [['valid'], ['warning', 'price-missing']];

  it('needs none either where it stands below others that name it', () => {
    const rows = [children[0] ?? {}, parent, children[1] ?? {}];
    const issues = validateWhole(rows, { currency: null, hasParents: true }).map((row) =>
      issuesIn(row.issues),
    );
    expect(issues).toEqual([[], ['parent-without-price'], []]);
    expect(listVariantRows(rows)).toEqual(children);
  });

  it('needs none if it is only the parent of others, and stays a warning', () => {
    const settled = ['warning', 'parent-without-price'];
    expect(found([parent, ...children])).toEqual([settled, valid, valid]);
    expect(found([{ ...parent, price: 'see sizes' }, ...children])).toEqual([settled, valid, valid]);
    const sizes = ['S', 'M'].map((option1Value) => ({ price: '9', option1Value }));
    expect(found([parent, ...sizes])).toEqual([settled, valid, valid]);
    // Other issues stay, and so do those of the variants.
    const upc = found([
      { ...parent, upc: '036000291453' },
      { sku: 'V-L', parentSku: 'V' },
    ]);
    expect(upc).toEqual([['warning', 'upc-check-digit', 'parent-without-price'], missing]);
  });

  it('needs one if it is a variant too', () => {
    expect(found([parent])).toEqual([missing]);
    expect(found([parent, { price: '9', sku: 'V-S' }])).toEqual([missing, valid]);
    expect(
      found([
        { ...parent, option1Value: 'L' },
        { price: '9', option1Value: 'S' },
      ]),
    ).toEqual([missing, valid]);
    expect(found([parent, ...children], false)).toEqual([missing, valid, valid]);
  });

  it('without a title needs the operator anyway', () => {
    expect(found([{ sku: 'V' }, ...children])[0]).toEqual(['error', 'title-missing', 'price-missing']);
  });
});

describe('values that are sent and are probably wrong', () => {
  const issuesOf = (values: RowValues) =>
    issuesIn(validateRow({ title: 'Vase', price: '20', ...values }, {}).issues);

  it.each<[RowValues, readonly string[]]>([
    [{ compareAtPrice: '19.99' }, ['compare-at-below-price']],
    // No discount is shown, but nothing is wrong.
    [{ compareAtPrice: '20.00' }, []],
    [{ compareAtPrice: '25' }, []],
    // None of these is sent.
    [{ compareAtPrice: '0' }, []],
    [{ compareAtPrice: 'on request' }, []],
    [{ compareAtPrice: '40', quantity: '2' }, []],
    [{ cost: '$20.01' }, ['cost-above-price']],
    [{ cost: '-1.50' }, ['cost-above-price']],
    [{ cost: 'call' }, ['cost-above-price']],
    [{ cost: 'n/a' }, []],
    [{ cost: '20' }, []],
    [{ cost: 'half' }, ['cost-above-price']],
    // A price of 0 is the mistake.
    [{ price: '0', cost: '5' }, ['price-zero']],
    [{ price: 'ask', cost: '5', compareAtPrice: '1' }, ['price-not-numeric']],
    [{ upc: '036000291452, 4006381333931' }, ['upc-two-codes']],
    [{ upc: '036000291452 / 0036000291452' }, []],
    [{ upc: '036000291453 | 036000291452' }, []],
    [{ upc: '0 36000 29145 2' }, []],
    [{ upc: 'n/a' }, []],
    [{ upc: 'AB-123' }, ['upc-check-digit']],
    [{ image: 'www.example.com/vase.jpg' }, ['image-invalid']],
    [{ image: '/images/vase.jpg' }, ['image-invalid']],
    [{ image: 'ftp://example.com/vase.jpg' }, ['image-invalid']],
    [{ image: 'HTTPS://example.com/vase.jpg' }, []],
    [{ image: 'vase.jpg, https://example.com/vase.jpg' }, []],
  ])('%j', (values, expected) => expect(issuesOf(values)).toEqual(expected));
});

it('tells digits that a spreadsheet has lost from a wrong check digit', () => {
  const issuesOf = (upc: string) => issuesIn(validateRow({ title: 'Vase', price: '1', upc }, {}).issues);
  expect(issuesOf('8.85E+11')).toEqual(['upc-digits-lost']);
  expect(issuesOf('036000291453')).toEqual(['upc-check-digit']);
  expect(issuesOf('111; 036000291452')).toEqual([]);
});

it('a variant with the options of an earlier one of its product is flagged', () => {
  const next = createProductValidator();
  const issuesOf = (values: RowValues) => issuesIn(next(values).issues);
  const shirt = { title: 'Shirt', price: '20', option1Value: 'Red', option2Value: 'Medium' };
  expect(issuesOf(shirt)).toEqual([]);
  expect(issuesOf({ ...shirt, option2Value: 'Small' })).toEqual([]);
  expect(issuesOf({ ...shirt, option1Value: 'red ', price: '22' })).toEqual(['same-options']);
  expect(issuesOf({ title: 'Shirt', price: '20' })).toEqual([]);
});

it('of all variants with the same options those are flagged that another one with them is sent beside', () => {
  const shirt = { title: 'Shirt', price: '20', option1Value: 'Red' };
  const rows = [
    shirt,
    { ...shirt, option1Value: 'Blue' },
    { ...shirt, option1Value: 'red ' },
    { title: 'Shirt', price: '2' },
  ];
  const flagged = (...out: number[]) =>
    validateWhole(rows, { currency: null, hasParents: false }, (at) => out.includes(at)).flatMap(
      ({ issues }, at) => (issuesIn(issues).includes('same-options') ? [at] : []),
    );
  expect(flagged()).toEqual([0, 2]);
  // What is left out says why, the other one is alone.
  expect(flagged(0)).toEqual([0]);
  expect(flagged(2)).toEqual([2]);
  expect(flagged(0, 2)).toEqual([]);
});

it('a price without a quantity is said where a column has quantities, unless nothing is tracked', () => {
  const rules = { currency: null, hasParents: false, hasQuantities: true };
  const issuesOf = (values: RowValues, changed = {}) =>
    issuesIn(validateRow(values, {}, { ...rules, ...changed }).issues);
  const jam = { title: 'Jam', price: '4' };
  expect(issuesOf(jam)).toEqual(['quantity-missing']);
  expect(issuesOf({ ...jam, quantity: '0' })).toEqual([]);
  expect(issuesOf({ ...jam, trackQuantity: 'none' })).toEqual([]);
  expect(issuesOf({ ...jam, trackQuantity: untrackedIfNew })).toEqual([]);
  expect(issuesOf(jam, { hasQuantities: false })).toEqual([]);
  expect(issuesOf(jam, { isPartial: true })).toEqual([]);
  expect(issuesOf({ title: 'Jam' })).toEqual(['price-missing']);
  // Rows that are not sent: a parent with the price 0, and a price that is repeated in another currency.
  const parent = { title: 'Lamp', handle: 'lamp', sku: 'LAMP', price: '0' };
  expect(issuesOf(parent, { hasParents: true })).toEqual([]);
  expect(issuesOf({ ...parent, price: '4' }, { hasParents: true })).toEqual(['quantity-missing']);
  expect(issuesIn(validateRow(jam, { currency: 'USD' }, rules).issues)).toEqual(['price-repeated']);
});

it('a page about a picture is none, also among further ones', () => {
  const issuesOf = (values: RowValues) =>
    issuesIn(validateRow({ title: 'Jam', price: '4', ...values }, {}).issues);
  const page = 'https://drive.google.com/file/d/1Ab/view';
  const picture = 'https://cdn.example.com/jam.jpg';
  expect(issuesOf({ image: page })).toEqual(['image-page']);
  expect(issuesOf({ image: picture, moreImages: `${picture}\n${page}` })).toEqual(['image-page']);
  expect(issuesOf({ image: picture })).toEqual([]);
});
