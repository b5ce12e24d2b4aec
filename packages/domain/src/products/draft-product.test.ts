import { describe, expect, it } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { readRowValues } from '../reading/row-values.ts';
import {
  buildDraftProduct,
  buildUncheckedDraft,
  type DraftOptions,
  type DraftProduct,
  explainUnsentAmounts,
  isSendable,
} from './draft-product.ts';
import { createGrouper, groupingOf } from './grouping.ts';
import { silentFieldsOf } from './silent-fields.ts';

const options: DraftOptions = { draftMode: true, importSource: 'spring.csv', currency: 'CAD' };

function build(rows: RowValues[], given: Partial<DraftOptions> = {}): DraftProduct {
  const result = buildDraftProduct(rows, { ...options, ...given });
  if (!result.ok) throw new Error(`missing ${result.missing.join(', ')}`);
  return result.product;
}
const vase: RowValues = { title: 'Vase', price: '24.99' };

describe('a product of one row', () => {
  it('has the payload of the specification', () => {
    const product = build([
      {
        title: 'Vase',
        price: '$1,024.90',
        cost: '12,50',
        compareAtPrice: '30',
        sku: 'V-1',
        upc: '036000291452',
        quantity: '7',
        description: 'Tall.\nBlue.',
        vendor: 'Lumen',
        type: 'Decor',
        tags: 'blue, tall; Blue',
        collections: 'Spring, All Products',
        image: 'https://a.example/1.jpg',
        status: 'active',
      },
    ]);
    expect(product).toEqual({
      title: 'Vase',
      body_html: 'Tall.<br>\nBlue.',
      vendor: 'Lumen',
      product_type: 'Decor',
      status: 'draft',
      published: false,
      published_scope: 'web',
      variants: [
        {
          title: 'Default Title',
          price: '1024.90',
          compare_at_price: '30',
          cost: '12.50',
          sku: 'V-1',
          barcode: '036000291452',
          inventory_quantity: 7,
          inventory_management: 'shopify',
          inventory_policy: 'deny',
        },
      ],
      tags: 'blue, tall',
      images: [{ src: 'https://a.example/1.jpg' }],
      metafields: [
        { namespace: 'scd', key: 'import_source', value: 'spring.csv', type: 'single_line_text_field' },
        { namespace: 'scd', key: 'upc', value: '036000291452', type: 'single_line_text_field' },
      ],
      collections: ['Spring', 'All Products'],
    });
  });

  it('has values that the store has no field for as metafields on one line, only if the row has them', () => {
    const own = (row: RowValues) => build([row]).metafields.filter(({ key }) => key !== 'import_source');
    expect(own({ ...vase, tcin: ' ', origin: 'Target\nToronto' })).toEqual([
      { namespace: 'scd', key: 'origin', value: 'Target Toronto', type: 'single_line_text_field' },
    ]);
    expect(own({ ...vase, tcin: '123', pointOfSale: 'Canada' }).map(({ key }) => key)).toEqual([
      'tcin',
      'point_of_sale',
    ]);
    expect(own({ ...vase, dimensions: '10×5×3 in' })).toMatchObject([
      { key: 'dimensions', value: '10×5×3 in' },
    ]);
    expect(own(vase)).toEqual([]);
  });

  it('has a weight only with a number and a unit', () => {
    const weightOf = (row: RowValues) => {
      const [{ weight, weight_unit } = {}] = build([{ ...vase, ...row }]).variants;
      return [weight, weight_unit];
    };
    expect(weightOf({ weight: '2,5', weightUnit: 'Pounds' })).toEqual([2.5, 'lb']);
    expect(weightOf({ weight: '2.5' })).toEqual([undefined, undefined]);
    expect(build([{ ...vase, weight: '0', weightUnit: 'kg' }])).toEqual(build([vase]));
  });

  it('describes photos of our own by its title, and leaves other pictures as they are', () => {
    const own = '/api/photos/00000000-0000-4000-8000-000000000000';
    const row = { ...vase, image: own, moreImages: `https://a.example/1.jpg\n${own}` };
    expect(build([row, { image: own }]).images).toEqual([
      { src: own, alt: 'Vase' },
      { src: 'https://a.example/1.jpg' },
    ]);
  });

  it('reports the missing fields that the store requires', () => {
    const lacking = (row: RowValues) => buildDraftProduct([row], options);
    expect(lacking({})).toEqual({
      ok: false,
      reason: 'Missing required fields',
      missing: ['title', 'price'],
    });
    expect(lacking({ title: 'Vase', price: 'on request' })).toMatchObject({ missing: ['price'] });
    expect(lacking({ title: '  ', price: '3' })).toMatchObject({ missing: ['title'] });
    expect(lacking({ title: 'Vase', price: '0' }).ok).toBe(true);
  });

  it('is never truncated', () => {
    const title = 'x'.repeat(300);
    expect(build([{ ...vase, title, description: 'y'.repeat(5000) }])).toMatchObject({
      title,
      body_html: 'y'.repeat(5000),
    });
  });

  it('has its own type or the default one', () => {
    expect(build([vase]).product_type).toBe('Home Goods');
    expect(build([vase], { productType: '' }).product_type).toBe('General');
    expect(build([{ ...vase, type: 'Lamps' }], { productType: 'Rugs' }).product_type).toBe('Lamps');
  });

  it.each([
    [undefined, 'active', true],
    ['Active', 'active', true],
    ['1', 'active', true],
    ['archived', 'archived', false],
    ['draft', 'draft', false],
    ['inactive', 'draft', false],
  ])('with status %j is %s once drafts are released', (status, expected, published) => {
    expect(build([{ ...vase, status }], { draftMode: false })).toMatchObject({ status: expected, published });
    expect(build([{ ...vase, status }])).toMatchObject({ status: 'draft', published: false });
  });

  it.each([
    ['5', 5],
    ['5.0', 5],
    ['1,200', 1200],
    ['-3', -3],
    ['default=100', 100],
    ['default=100,annex=20', 120],
    ['many', 0],
    [undefined, 0],
  ])('with quantity %j has %d', (quantity, expected) => {
    expect(build([{ ...vase, quantity }]).variants[0]?.inventory_quantity).toBe(expected);
  });

  it('sets how the store tracks stock', () => {
    expect(
      build([{ ...vase, trackQuantity: 'none', continueSelling: 'continue' }]).variants[0],
    ).toMatchObject({
      inventory_management: null,
      inventory_policy: 'continue',
    });
    expect(build([{ ...vase, trackQuantity: 'shopify', continueSelling: 'deny' }]).variants[0]).toMatchObject(
      {
        inventory_management: 'shopify',
        inventory_policy: 'deny',
      },
    );
  });

  it('has no compare-at price of 0, keeps markup, and uses the item number if there is no SKU', () => {
    const product = build([{ ...vase, compareAtPrice: '0', description: '<p>a\nb</p>', itemNumber: '77' }]);
    expect(product.variants[0]).toMatchObject({ compare_at_price: null, sku: '77' });
    expect(product.body_html).toBe('<p>a\nb</p>');
  });

  it.each([
    ['A & B <3', 'A &amp; B &lt;3'],
    ['3 < 5 and 7 > 5\r\nR&D;', '3 &lt; 5 and 7 &gt; 5<br>\nR&amp;D;'],
    ['Salt &amp; pepper', 'Salt &amp; pepper'],
    ['5&nbsp;cm &#215; 7&#xA0;cm\nBlue', '5&nbsp;cm &#215; 7&#xA0;cm<br>\nBlue'],
    ['Soap & water<br>\nfor 2 < 3', 'Soap & water<br>\nfor 2 < 3'],
  ])('makes HTML of the description %j', (description, html) => {
    expect(build([{ ...vase, description }]).body_html).toBe(html);
  });

  it.each([
    ['59.97', '3', null],
    ['$1,199.40', '60', null],
    ['59.98', '3', '59.98'],
    ['19.99', '1', '19.99'],
    ['29.99', '3', '29.99'],
    ['59.97', undefined, '59.97'],
  ])('compared with %j at quantity %j has the compare-at price %j', (compareAtPrice, quantity, expected) => {
    const product = build([{ title: 'Vase', price: '19.99', compareAtPrice, quantity }]);
    expect(product.variants[0]?.compare_at_price).toBe(expected);
  });

  it.each<[RowValues, object]>([
    [
      { compareAtPrice: '59.97', quantity: '3' },
      { compareAtPrice: 'Not sent: this is the price of all 3 pieces.' },
    ],
    [{ compareAtPrice: '0.00' }, { compareAtPrice: 'Not sent: 0 means no value.' }],
    [{ compareAtPrice: 'on request' }, { compareAtPrice: 'Not sent: this isn’t an amount.' }],
    [{ cost: 'half' }, { cost: 'Not sent: this isn’t an amount.' }],
    [{ compareAtPrice: '29.99', cost: '5', quantity: '3' }, {}],
    [
      { weight: '1.23' },
      {
        weight:
          'Not sent: it needs a number and a unit, as in “1.5 kg”. To set the weight unit of many rows, use Change Rows.',
      },
    ],
  ])('says which amounts of %j are not sent', (values, unsent) => {
    const row = { title: 'Vase', price: '19.99', ...values };
    expect(explainUnsentAmounts(row)).toEqual(unsent);
    const [variant] = build([row]).variants;
    expect(variant?.compare_at_price === null).toBe(
      values.compareAtPrice === undefined || 'compareAtPrice' in unsent,
    );
  });

  it.each(['4.00638E+12', '4,00638e12', ' 5E+11 '])('does not use the damaged %j as a barcode', (upc) => {
    const product = build([{ ...vase, upc }]);
    expect(product.variants[0]?.barcode).toBe('');
    expect(product.metafields.map(({ key }) => key)).toEqual(['import_source']);
  });

  it('keeps a barcode with a wrong check digit, which still has all its digits', () => {
    expect(build([{ ...vase, upc: '036000291453' }]).variants[0]?.barcode).toBe('036000291453');
  });

  it('keeps a real option, and has none for a Shopify export without one', () => {
    expect(build([{ ...vase, option1Name: 'Title', option1Value: 'Default Title' }])).not.toHaveProperty(
      'options',
    );
    expect(build([{ ...vase, option1Name: 'Color', option1Value: 'Red' }])).toMatchObject({
      options: [{ name: 'Color', values: ['Red'] }],
      variants: [{ title: 'Red', option1: 'Red' }],
    });
  });
});

describe('a product of several rows', () => {
  it('has a variant per row and an image per image row', () => {
    const product = build([
      { title: 'Gloves', option1Name: 'Color', option1Value: 'Green', price: '9.99', image: 'http://x/1' },
      { title: 'Gloves', option1Value: 'Yellow', price: '15.99' },
      { title: 'Gloves', price: '9.99', image: 'http://x/2' },
      { title: 'Gloves', image: 'http://x/1' },
    ]);
    expect(product.options).toEqual([{ name: 'Color', values: ['Green', 'Yellow'] }]);
    expect(product.variants.map(({ title, option1, price }) => [title, option1, price])).toEqual([
      ['Green', 'Green', '9.99'],
      ['Yellow', 'Yellow', '15.99'],
    ]);
    expect(product.images).toEqual([{ src: 'http://x/1' }, { src: 'http://x/2' }]);
  });

  it('does not sell a first row that is only the parent of the others', () => {
    const byOptions = build([
      { handle: 'mill', sku: 'MILL', title: 'Mill', price: '0' },
      { handle: 'mill', sku: 'MILL-B', price: '80', option1Name: 'Color', option1Value: 'Black' },
      { handle: 'mill', sku: 'MILL-W', price: '81', option1Name: 'Color', option1Value: 'White' },
    ]);
    expect(byOptions.variants.map(({ sku }) => sku)).toEqual(['MILL-B', 'MILL-W']);
    const byParent = build([
      { sku: 'C', title: 'Coat', description: 'Warm' },
      { sku: 'C-S', parentSku: 'C', title: 'Coat S', price: '50' },
      { sku: 'C-M', parentSku: 'C', title: 'Coat M', price: '51' },
    ]);
    expect(byParent).toMatchObject({
      title: 'Coat',
      body_html: 'Warm',
      options: [{ name: 'Variant', values: ['C-S', 'C-M'] }],
      variants: [
        { sku: 'C-S', option1: 'C-S' },
        { sku: 'C-M', option1: 'C-M' },
      ],
    });
  });

  it('is the product of its parent, also where that stands below a variant', () => {
    const parent = { sku: 'C', title: 'Coat', vendor: 'Kiln', type: 'Coats' };
    const [small, medium] = ['S', 'M'].map((size) => ({
      ...{ sku: `C-${size}`, parentSku: 'C', title: `Coat ${size}`, price: '50' },
      ...{ option1Name: 'Size', option1Value: size },
    }));
    const product = build([small ?? {}, parent, medium ?? {}]);
    expect(product).toEqual(build([parent, small ?? {}, medium ?? {}]));
    expect(product).toMatchObject({ title: 'Coat', vendor: 'Kiln', product_type: 'Coats' });
    const left = buildDraftProduct([small ?? {}, parent, medium ?? {}], options, [0]);
    expect(left.ok && left.product.variants.map(({ sku }) => sku)).toEqual(['C-M']);
  });

  it('needs no price of a first row that is only the parent of the others', () => {
    const rows = [
      { sku: 'C', title: 'Coat' },
      { sku: 'C-S', parentSku: 'C', title: 'Coat S', price: '50' },
    ];
    expect(isSendable(rows)).toBe(true);
    expect(isSendable(rows.slice(0, 1))).toBe(false);
    expect(isSendable([...rows, { sku: 'C-M', parentSku: 'C', title: 'Coat M' }])).toBe(false);
  });

  it('does not treat a price in another currency as another variant', () => {
    const product = build([
      { title: 'Mill', sku: 'M', price: '0', currency: 'USD' },
      { sku: 'M-B', price: '80', currency: 'USD', option1Value: 'Black' },
      { sku: 'M-W', price: '81', currency: 'USD', option1Value: 'White' },
      { sku: 'M-B', price: '70', currency: 'EUR' },
      { sku: 'M-W', price: '71', currency: 'EUR' },
    ]);
    expect(product.variants.map(({ sku, price }) => [sku, price])).toEqual([
      ['M-B', '80'],
      ['M-W', '81'],
    ]);
  });

  it('sells a first row without option values that has stock', () => {
    const product = build([
      { title: 'Mill', price: '80', quantity: '4' },
      { title: 'Mill', price: '81', option1Name: 'Color', option1Value: 'White' },
    ]);
    expect(product.variants.map(({ option1 }) => option1)).toEqual(['Default', 'White']);
  });

  it('lacks a price if one of its variants does', () => {
    const rows = [
      { title: 'Rug', option1Value: 'S', price: '10' },
      { title: 'Rug', option1Value: 'M' },
    ];
    expect(buildDraftProduct(rows, options)).toMatchObject({ ok: false, missing: ['price'] });
  });

  /** The store refuses two variants with equal values, and options with equal names or values. */
  function expectAcceptable({ options: found = [], variants }: DraftProduct): void {
    const combos = variants.map(({ option1, option2, option3 }) =>
      JSON.stringify([option1, option2, option3]).toLowerCase(),
    );
    expect(new Set(combos).size).toBe(variants.length);
    expect(found.length).toBeLessThanOrEqual(3);
    expect(new Set(found.map(({ name }) => name.toLowerCase())).size).toBe(found.length);
    for (const [at, { name, values }] of found.entries()) {
      expect(name).not.toContain(' / ');
      expect(new Set(values.map((value) => value.toLowerCase())).size).toBe(values.length);
      const key = (['option1', 'option2', 'option3'] as const)[at] ?? 'option1';
      expect([...new Set(variants.map((variant) => variant[key]))]).toEqual(values);
    }
  }

  it.each<[string, RowValues[]]>([
    ['no options', [{ sku: 'a' }, { sku: 'b' }]],
    ['no options and no SKUs', [{}, {}, {}]],
    ['equal SKUs', [{ sku: 'a' }, { sku: 'A' }]],
    [
      'equal values',
      [
        { option1Value: 'Red', sku: 'a' },
        { option1Value: 'red', sku: 'b' },
      ],
    ],
    [
      'different spellings',
      [
        { option1Value: 'Red', option2Value: 'S' },
        { option1Value: 'RED', option2Value: 'M' },
      ],
    ],
    [
      'a value missing',
      [{ option1Value: 'Red' }, { option1Value: 'Red', option2Value: 'S' }, { option2Value: 'S' }],
    ],
    [
      'three options, all equal',
      [1, 2, 3].map(() => ({ option1Value: 'a', option2Value: 'b', option3Value: 'c' })),
    ],
    [
      'a value that looks numbered',
      ['c', 'c (2)', 'c'].map((option3Value) => ({
        option1Value: 'a',
        option2Value: 'b',
        option3Value,
      })),
    ],
    [
      'equal option names',
      [
        { option1Name: 'Size / cm', option1Value: '1', option2Name: 'size / cm', option2Value: '2' },
        { option1Value: '3', option2Value: '2' },
      ],
    ],
    ["an option called 'Variant'", [{ option1Name: 'Variant', option1Value: 'x' }, { option1Value: 'x' }]],
    ['only the second option', [{ option2Name: 'Size', option2Value: 'S' }, { option2Value: 'M' }]],
  ])('is acceptable to the store with %s', (_, rows) => {
    const product = build(rows.map((row, at) => ({ title: 'Rug', price: String(at + 1), ...row })));
    expect(product.variants).toHaveLength(rows.length);
    expectAcceptable(product);
  });
});

it('makes the products of a file from its records', () => {
  const headers = ['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Variant Price', 'Image Src'];
  const records = [
    ['lamp', 'Lamp', 'Title', 'Default Title', '69.99', 'https://a.example/lamp.jpg'],
    ['lamp', '', '', '', '', 'https://a.example/lamp-2.jpg'],
    ['rug', 'Rug', 'Size', 'S', '10', ''],
    ['rug', '', '', 'M', '12', ''],
  ];
  const mapping = mapHeaders(headers);
  const next = createGrouper(groupingOf(mapping));
  const products: RowValues[][] = [];
  for (const record of records) {
    const values = readRowValues(record, mapping);
    const row = next(values);
    if (row.startsProduct) products.push([]);
    products.at(-1)?.push({ ...values, ...row.inherited });
  }
  const [lamp, rug] = products.map((rows) => build(rows));
  expect(lamp).toMatchObject({ title: 'Lamp', variants: [{ title: 'Default Title', price: '69.99' }] });
  expect(lamp?.images).toHaveLength(2);
  expect(rug).toMatchObject({
    title: 'Rug',
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [
      { title: 'S', price: '10' },
      { title: 'M', price: '12' },
    ],
  });
});

it('an empty tracker of Shopify’s own file means that a new product is not tracked', () => {
  const headers = [
    'Handle',
    'Title',
    'Variant SKU',
    'Variant Inventory Tracker',
    'Variant Inventory Qty',
    'Variant Price',
  ];
  const rowOf = (tracker: string, of = headers) =>
    readRowValues(['voucher', 'Voucher', 'V-1', tracker, '', '50.00'], mapHeaders(of));
  const trackerOf = (row: RowValues) => build([row]).variants[0]?.inventory_management;
  expect([trackerOf(rowOf('')), trackerOf(rowOf('shopify'))]).toEqual([null, 'shopify']);
  // On an update the store keeps what it has.
  const said = { takenBack: [], cleared: {} };
  const silent = (row: RowValues) => silentFieldsOf([row], [row], said).ofOurs.variants[0];
  expect(silent(rowOf(''))).toContain('inventory_management');
  expect(silent(rowOf('shopify'))).not.toContain('inventory_management');
  const others = headers.with(3, 'Track Quantity');
  expect(trackerOf(rowOf('', others))).toBe('shopify');
});

describe('rows that are left out of the push', () => {
  const options = { draftMode: true, importSource: 'draftshelf', currency: 'CAD' };
  const size = (option1Value: string, more: RowValues = {}): RowValues => ({
    ...{ price: '5', sku: `V-${option1Value}`, option1Name: 'Size', option1Value, ...more },
  });
  const rows = [
    size('S', { title: 'Vase', image: 'https://a.example/s.png', upc: '4006381333931' }),
    size('M', { image: 'https://a.example/m.png' }),
    size('L', { price: 'ask' }),
  ];

  it('are no variants, and neither their options nor their pictures are sent', () => {
    const built = buildDraftProduct(rows, options, [1, 2]);
    expect(built).toMatchObject({
      ok: true,
      product: {
        title: 'Vase',
        variants: [{ option1: 'S' }],
        options: [{ name: 'Size', values: ['S'] }],
        images: [{ src: 'https://a.example/s.png' }],
      },
      leftOut: { rows: 2, images: ['https://a.example/m.png'] },
    });
  });

  it('still give the product the values of its first row', () => {
    const built = buildDraftProduct(rows, options, [0, 2]);
    expect(built).toMatchObject({
      product: {
        title: 'Vase',
        variants: [{ option1: 'M' }],
        images: [{ src: 'https://a.example/s.png' }, { src: 'https://a.example/m.png' }],
      },
    });
  });

  it('lack nothing: the product is sent without the row that has no price', () => {
    expect(isSendable(rows)).toBe(false);
    expect(isSendable(rows, [2])).toBe(true);
  });

  it('keep the options of the others, also where only one row is left', () => {
    const alike: RowValues[] = [
      { title: 'Vase', price: '5', sku: 'A' },
      { price: '6', sku: 'B' },
    ];
    expect(buildUncheckedDraft(alike, options, [1])).toMatchObject({
      variants: [{ option1: 'A' }],
      options: [{ name: 'Variant', values: ['A'] }],
    });
  });

  it('are no product where no variant is left', () => {
    const leftOut = { ok: false, reason: 'Left out of the push', missing: [] };
    expect(buildDraftProduct(rows, options, [0, 1, 2])).toEqual(leftOut);
    const [parent, ...variants] = [{ title: 'Vase', sku: 'V' }, size('S'), size('M')];
    expect(buildDraftProduct([parent ?? {}, ...variants], options, [1, 2])).toEqual(leftOut);
  });
});
