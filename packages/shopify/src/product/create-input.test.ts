import { expect, test } from 'vitest';
import { payloadHash } from '../payload-hash.ts';
import { testDraft, testVariant } from '../testing/drafts.ts';
import { toCreateInput } from './create-input.ts';

const options = { externalId: 'id-1', locationId: 'gid://shopify/Location/1', collectionIds: [] };

test('a plain draft becomes one complete upsert', () => {
  const draft = testDraft();
  expect(toCreateInput(draft, options)).toEqual({
    identifier: { customId: { namespace: 'scd', key: 'external_id', value: 'id-1' } },
    input: {
      title: 'Brass lamp',
      descriptionHtml: '<p>A lamp.</p>',
      vendor: 'Lumen',
      productType: 'Lighting',
      status: 'DRAFT',
      tags: ['brass', 'lamp'],
      productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
      variants: [
        {
          optionValues: [{ optionName: 'Title', name: 'Default Title' }],
          price: '24.90',
          sku: 'LAMP-1',
          barcode: '4006381333931',
          inventoryPolicy: 'DENY',
          inventoryItem: { tracked: true, cost: '11.50' },
          inventoryQuantities: [{ locationId: 'gid://shopify/Location/1', name: 'available', quantity: 7 }],
        },
      ],
      files: [{ originalSource: 'https://images.example/lamp.jpg', contentType: 'IMAGE' }],
      metafields: [
        { namespace: 'scd', key: 'external_id', value: 'id-1' },
        { namespace: 'scd', key: 'payload', value: payloadHash(draft), type: 'single_line_text_field' },
        { namespace: 'scd', key: 'import_source', value: 'lamps.csv', type: 'single_line_text_field' },
      ],
    },
  });
});

test('the metafield with our id has no type, else the store returns METAFIELD_MISMATCH', () => {
  const [identifying] = toCreateInput(testDraft(), options).input.metafields ?? [];
  expect(identifying).not.toHaveProperty('type');
});

test('options and their values are in the order of the variants', () => {
  const draft = testDraft({
    options: [
      { name: 'Size', values: ['S', 'M'] },
      { name: 'Colour', values: ['Red', 'Blue'] },
    ],
    variants: [
      testVariant({ option1: 'S', option2: 'Red' }),
      testVariant({ option1: 'S', option2: 'Blue' }),
      testVariant({ option1: 'M', option2: 'Red' }),
    ],
  });
  const { input } = toCreateInput(draft, options);
  expect(input.productOptions).toEqual([
    { name: 'Size', values: [{ name: 'S' }, { name: 'M' }] },
    { name: 'Colour', values: [{ name: 'Red' }, { name: 'Blue' }] },
  ]);
  expect(input.variants?.[2]?.optionValues).toEqual([
    { optionName: 'Size', name: 'M' },
    { optionName: 'Colour', name: 'Red' },
  ]);
});

test('a weight is sent in the store’s words', () => {
  const weightOf = (weight_unit: 'lb' | 'kg' | 'oz' | 'g') =>
    toCreateInput(testDraft({ variants: [testVariant({ weight: 2.5, weight_unit })] }), options).input
      .variants?.[0]?.inventoryItem?.measurement;
  expect(weightOf('lb')).toEqual({ weight: { value: 2.5, unit: 'POUNDS' } });
  expect((['kg', 'oz', 'g'] as const).map((unit) => weightOf(unit)?.weight?.unit)).toEqual([
    'KILOGRAMS',
    'OUNCES',
    'GRAMS',
  ]);
});

test('empty values are left out, and quantities need tracking and a location', () => {
  const bare = testDraft({
    body_html: '',
    vendor: '',
    images: [],
    variants: [testVariant({ sku: '', barcode: '', cost: null, inventory_management: null })],
  });
  const { input } = toCreateInput(bare, options);
  expect(Object.keys(input).sort()).toEqual([
    'metafields',
    'productOptions',
    'productType',
    'status',
    'tags',
    'title',
    'variants',
  ]);
  expect(input.variants?.[0]).toEqual({
    optionValues: [{ optionName: 'Title', name: 'Default Title' }],
    price: '24.90',
    inventoryPolicy: 'DENY',
    inventoryItem: { tracked: false },
  });
  const elsewhere = toCreateInput(testDraft(), { ...options, locationId: null });
  expect(elsewhere.input.variants?.[0]).not.toHaveProperty('inventoryQuantities');
});
