import { PostedProduct } from '@draftshelf/domain/push/posted-product';
import { expect, test } from 'vitest';
import { buildPostedDraft } from './build-posted-draft.ts';

const build = (product: object, draftMode = false) =>
  buildPostedDraft(PostedProduct.parse(product), { draftMode, importSource: 'draftshelf' });

test('options come with their values, named or not; Default Title means none', () => {
  const sizes = [
    { price: '5', option1: 'S' },
    { price: '6', option1: 'M' },
  ];
  const named = build({ title: 'Shirt', options: [{ name: 'Size' }], variants: sizes });
  expect(named).toMatchObject({
    ok: true,
    product: { options: [{ name: 'Size', values: ['S', 'M'] }], variants: [{ title: 'S' }, { title: 'M' }] },
  });
  expect(build({ title: 'Shirt', variants: sizes })).toMatchObject({
    product: { options: [{ name: 'Option 1', values: ['S', 'M'] }] },
  });
  const plain = build({ title: 'Lamp', variants: [{ price: '5', option1: 'Default Title' }] });
  expect(plain.ok && plain.product).not.toHaveProperty('options');
});

test('values are read as in a file, and missing ones get the defaults of the push', () => {
  const result = build({
    title: ' Lamp ',
    variants: [
      { price: '1.234,50 €', compare_at_price: null, inventory_quantity: '7.9', inventory_management: null },
    ],
    tags: ['a', 'b', 'A'],
    collections: ['', 'Lamps'],
  });
  expect(result).toMatchObject({
    ok: true,
    product: {
      title: 'Lamp',
      product_type: 'Home Goods',
      status: 'active',
      published: true,
      tags: 'a, b',
      collections: ['Lamps'],
      variants: [{ price: '1234.50', inventory_quantity: 7, inventory_management: null }],
      metafields: [{ namespace: 'scd', key: 'import_source', value: 'draftshelf' }],
    },
  });
});

test('draft mode decides the status, and title and price are required', () => {
  const lamp = { title: 'Lamp', status: 'archived', variants: [{ price: 5 }] };
  expect(build(lamp)).toMatchObject({ product: { status: 'archived' } });
  expect(build(lamp, true)).toMatchObject({ product: { status: 'draft', published: false } });
  expect(build({})).toEqual({ ok: false, reason: 'Missing required fields', missing: ['title', 'price'] });
});

test('a description is cleaned, unless the store would refuse the product', () => {
  const body_html = '<p onclick=x()>Blue</p>';
  const variants = [{ price: '5' }];
  expect(build({ title: 'Lamp', variants, body_html })).toMatchObject({
    product: { body_html: '<p>Blue</p>' },
  });
  const refused = build({ title: 'x'.repeat(256), variants, body_html });
  expect(refused).toMatchObject({ ok: true, product: { body_html } });
});
