import { expect, it } from 'vitest';
import { postedProducts } from './posted-products.ts';

const row = (
  number: number,
  product: number,
  values: Record<string, string>,
  { ignored = null, leftOut = false }: { ignored?: string | null; leftOut?: boolean } = {},
) => ({ row: number, product, ignored, values, leftOut });

it('groups rows to products as the push does, without ignored rows', () => {
  const products = postedProducts([
    row(1, 1, { title: 'Vase', price: '$5', option1Name: 'Size', option1Value: 'S' }),
    row(2, 1, { price: '6', option1Name: 'Size', option1Value: 'M' }),
    row(3, 2, { title: 'Total' }, { ignored: 'summary' }),
    row(4, 3, { title: 'No price', sku: 'N-1' }),
  ]);
  expect(products).toMatchObject([
    { row: 1, title: 'Vase', posted: { title: 'Vase', product_type: 'Home Goods', status: 'active' } },
    { row: 4, title: 'No price', posted: { title: 'No price', variants: [{ price: '', sku: 'N-1' }] } },
  ]);
  expect(products[0]?.posted.variants).toMatchObject([{ price: '5' }, { price: '6' }]);
});

it('posts all fields of the payload of a product without a price', () => {
  const [lacking] = postedProducts([
    row(1, 1, { title: 'Vase', quantity: '7', tags: 'glass', upc: '4006381333931' }),
  ]);
  const [complete] = postedProducts([row(1, 1, { title: 'Vase', price: '5', quantity: '7', tags: 'glass' })]);
  expect(lacking?.posted).toMatchObject({
    product_type: 'Home Goods',
    status: 'active',
    tags: 'glass',
    images: [],
    metafields: [{ key: 'import_source' }, { key: 'upc', value: '4006381333931' }],
    variants: [
      {
        title: 'Default Title',
        price: '',
        cost: null,
        inventory_quantity: 7,
        inventory_management: 'shopify',
        inventory_policy: 'deny',
      },
    ],
  });
  expect(Object.keys(lacking?.posted ?? {})).toEqual(Object.keys(complete?.posted ?? {}));
});

it('names amounts that are not sent although a row has them, each once', () => {
  const manifest = { price: '129', quantity: '8', compareAtPrice: '$1,032.00' };
  const [pieces, plain] = postedProducts([
    row(1, 1, { title: 'Lamp', ...manifest, cost: 'ask' }),
    row(2, 1, { ...manifest, sku: 'L-2' }),
    row(3, 2, { title: 'Vase', price: '5', compareAtPrice: '9', cost: '2' }),
    row(4, 1, { ...manifest, sku: 'L-4', price: '135', compareAtPieces: '8' }),
  ]);
  expect(pieces?.unsent).toEqual([
    'Compare-at price isn’t sent: this is the price of all 8 pieces.',
    'Cost isn’t sent: this isn’t an amount.',
  ]);
  expect(pieces?.posted.variants?.map((one) => one.compare_at_price)).toEqual([null, null, null]);
  expect(plain?.unsent).toEqual([]);
});

it('names a weight without a unit, which is not sent', () => {
  const [bare, whole] = postedProducts([
    row(1, 1, { title: 'Beanie', price: '14', weight: '1.23' }),
    row(2, 2, { title: 'Scarf', price: '17', weight: '1', weightUnit: 'kg' }),
  ]);
  expect(bare?.unsent).toEqual([
    'Weight isn’t sent: it needs a number and a unit, as in “1.5 kg”. To set the weight unit of many rows, use Change Rows.',
  ]);
  expect(whole?.unsent).toEqual([]);
});

it('posts no row that is left out of the push, and says so', () => {
  const size = (option1Value: string) => ({ option1Name: 'Size', option1Value });
  const [some, none] = postedProducts([
    row(1, 1, { title: 'Vase', price: '5', ...size('S') }),
    row(2, 1, { price: '6', cost: 'ask', ...size('M') }, { leftOut: true }),
    row(3, 2, { title: 'Lamp', price: '7' }, { leftOut: true }),
  ]);
  expect(some?.posted.variants).toMatchObject([{ price: '5', option1: 'S' }]);
  expect(some).toMatchObject({ unsent: ['1 row is left out of the push.'], isLeftOut: false });
  expect(none).toMatchObject({ unsent: ['1 row is left out of the push.'], isLeftOut: true });
});
