import { createScanned, ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import { expect, it } from 'vitest';
import type { ShownScanned } from '../scanner-api.ts';
import {
  fillEmptyFields,
  findProblems,
  findRefusedInput,
  importLabel,
  inputOf,
  isIncomplete,
  listDifferences,
  type ScannedDraft,
  stepPrice,
  toFormContent,
  toScannedDraft,
} from './scanned-draft.ts';

const vase: ShownScanned = {
  id: 'b7c0e3a8-6f5d-4c1b-9a2e-8d7f6e5c4b3a',
  name: 'Ceramic vase',
  description: '',
  price: '24.99',
  sku: 'VA-12',
  upc: null,
  dimensions: { length: 10, width: 5, height: 3, unit: 'in' },
  weight: { value: 0, unit: 'lb' },
  photos: ['/api/photos/1'],
  status: 'active',
  version: 3,
  createdAt: '2026-01-02T03:04:05.000Z',
  changedAt: '2026-01-02T03:04:05.000Z',
  syncedAt: null,
  storeUrl: null,
  batches: [],
};
const draft = (set: Partial<ScannedDraft>): ScannedDraft => ({ ...toScannedDraft(vase), ...set });

it('a new product is in inches and pounds, in no batch, and its empty numbers are saved as 0', () => {
  expect(inputOf({ ...toScannedDraft(null), name: ' Lamp ', sku: 'L-1', price: '5' }, [])).toEqual({
    name: 'Lamp',
    description: '',
    price: '5',
    sku: 'L-1',
    upc: null,
    dimensions: { length: 0, width: 0, height: 0, unit: 'in' },
    weight: { value: 0, unit: 'lb' },
    photos: [],
    selectedBatch: 'none',
  });
});

it('a product that is opened and saved is the same, and what was not measured is an empty field', () => {
  expect(toScannedDraft(vase).weight).toBe('');
  const saved = inputOf(toScannedDraft(vase), vase.photos);
  expect(ScannedProduct.partial().parse(saved)).toEqual({
    name: vase.name,
    description: vase.description,
    price: vase.price,
    sku: vase.sku,
    upc: vase.upc,
    dimensions: vase.dimensions,
    weight: vase.weight,
    photos: vase.photos,
  });
});

it('a price and measures with decimal commas are saved as they are read in an import', () => {
  const typed = draft({ price: '29,95', length: '2,5', width: '1.234,5', weight: '0,25' });
  expect(findProblems(typed)).toEqual({});
  const { price, dimensions, weight } = createScanned.body.parse(inputOf(typed, []));
  expect({ price, dimensions, weight }).toEqual({
    price: '29.95',
    dimensions: { length: 2.5, width: 1234.5, height: 3, unit: 'in' },
    weight: { value: 0.25, unit: 'lb' },
  });
});

it('a step changes the price by a cent, down to 0', () => {
  expect(stepPrice('29,95', 1)).toBe('29.96');
  expect(stepPrice('', 1)).toBe('0.01');
  expect(stepPrice('0.00', -1)).toBe('0.00');
  expect(stepPrice('ask', 1)).toBeNull();
});

it('measures are decimals', () => {
  const { dimensions, weight } = inputOf(draft({ length: '2.5', weight: '0.25', weightUnit: 'kg' }), []);
  expect(dimensions).toMatchObject({ length: 2.5 });
  expect(weight).toEqual({ value: 0.25, unit: 'kg' });
});

it.each(['name', 'sku', 'price'] as const)('without %s a product is incomplete', (field) => {
  expect(isIncomplete(draft({ [field]: ' ' }))).toBe(true);
  expect(Object.keys(findProblems(draft({ [field]: ' ' })))).toEqual([field]);
  expect(isIncomplete(draft({}))).toBe(false);
});

it.each([
  ['price', '-1', 'Enter an amount like 24.99.'],
  ['price', 'ask', 'Enter an amount like 24.99.'],
  ['price', '29,9x', 'Enter an amount like 24.99.'],
  ['name', 'x'.repeat(256), 'Use at most 255 characters.'],
  ['length', '2,5 cm', 'Enter a number from 0 to 1,000,000.'],
  ['width', '-2', 'Enter a number from 0 to 1,000,000.'],
  ['weight', '1000001', 'Enter a number from 0 to 1,000,000.'],
] as const)('%s %s is refused at the field', (field, value, sentence) => {
  expect(findProblems(draft({ [field]: value }))).toEqual({ [field]: sentence });
});

it('two versions differ in named fields, and photos by their number', () => {
  const stored = { ...vase, name: 'Vase', photos: [] };
  expect(
    listDifferences(draft({ upc: '036000291452' }), [{ key: 0, src: '', address: '/api/photos/1' }], stored),
  ).toEqual([
    { label: 'UPC', mine: '036000291452', theirs: 'Empty' },
    { label: 'Product Name', mine: 'Ceramic vase', theirs: 'Vase' },
    { label: 'Photos', mine: '1 photo', theirs: '0 photos' },
  ]);
  expect(listDifferences(draft({}), [{ key: 0, src: '', address: '/api/photos/1' }], vase)).toEqual([]);
});

it('a refusal of the server stands at its field or photo', () => {
  expect(findRefusedInput('price')).toEqual({ field: 'price' });
  expect(findRefusedInput('weight.value')).toEqual({ field: 'weight' });
  expect(findRefusedInput('photos.2')).toEqual({ photo: 2 });
  expect(findRefusedInput('constructor')).toBeNull();
  expect(findRefusedInput(null)).toBeNull();
});

it('a batch is shown with its name and status', () => {
  expect(importLabel({ filename: 'supplier.csv', status: 'processed' })).toBe(
    'supplier.csv (Ready for Shopify)',
  );
});

it('found values fill empty fields only, and are marked with their source', () => {
  const { draft, sources } = fillEmptyFields(
    toFormContent(vase),
    { name: 'Vase', upc: '036000291452', sku: ' ' },
    'UPCitemdb',
  );
  expect(draft).toEqual({ ...toScannedDraft(vase), upc: '036000291452' });
  expect(sources).toEqual({ upc: 'UPCitemdb' });
});
