import { expect, test } from 'vitest';
import { productSetCost } from './cost.ts';
import type { ProductSetInput } from './documents.ts';

const input = (variants: number, metafields: number, files: number): ProductSetInput => ({
  variants: Array.from({ length: variants }, () => ({ optionValues: [] })),
  metafields: Array.from({ length: metafields }, () => ({ namespace: 'scd', key: 'upc', value: '1' })),
  files: Array.from({ length: files }, () => ({ originalSource: 'https://a.example', contentType: 'IMAGE' })),
});

// The examples of Shopify's changelog (2025-10), and typical products of ours.
test.each([
  [1, 0, 0, 10],
  [20, 5, 0, 16],
  [200, 20, 10, 77],
  [1, 3, 0, 11],
  [1, 3, 1, 13],
  [1, 3, 5, 21],
])('%i variants, %i metafields and %i files cost %i', (variants, metafields, files, points) => {
  expect(productSetCost(input(variants, metafields, files))).toBe(points);
});
