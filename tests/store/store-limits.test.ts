import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { issueCodes } from '@draftshelf/domain/review/issues';
import { isImageAddress, refusalOf } from '@draftshelf/domain/review/store-limits';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { setProduct } from '@draftshelf/shopify/products';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import { testDraft, testVariant } from '@draftshelf/shopify/testing/drafts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStore, type TestStore, testClient } from './start-store.ts';

// The simulator has its own copy of what the store refuses. It must agree with the list that our own checks read.

let store: TestStore;
let client: ReturnType<typeof testClient>;
beforeAll(async () => {
  store = await startStore();
  client = testClient(store);
  await ensureIdDefinition(client);
});
afterAll(() => store.stop());

let products = 0;

/** Whether the store takes a new product with this draft. */
async function accepts(draft: DraftProduct): Promise<boolean> {
  products += 1;
  const options = { externalId: `limit-${products}`, locationId: null, collectionIds: [] };
  try {
    await setProduct(client, toCreateInput(draft, options));
    return true;
  } catch (error) {
    if (error instanceof StoreRefused) return false;
    throw error;
  }
}

const withOption = (text: string) =>
  testDraft({
    options: [{ name: 'Color', values: [text] }],
    variants: [testVariant({ title: text, option1: text })],
  });

const limits: [code: string, draftWith: (text: string) => DraftProduct][] = [
  ['title-too-long', (title) => testDraft({ title })],
  ['brand-too-long', (vendor) => testDraft({ vendor })],
  ['type-too-long', (product_type) => testDraft({ product_type })],
  ['tag-too-long', (tag) => testDraft({ tags: `brass, ${tag}` })],
  ['sku-too-long', (sku) => testDraft({ variants: [testVariant({ sku })] })],
  ['upc-too-long', (barcode) => testDraft({ variants: [testVariant({ barcode })] })],
  ['option-too-long', withOption],
];

describe('the store accepts the longest text that we accept, and refuses one more character', () => {
  test.each(limits)('%s', async (_code, draftWith) => {
    for (const text of ['x'.repeat(255), 'ü'.repeat(255)]) {
      expect(refusalOf(draftWith(text))).toBeNull();
      expect(await accepts(draftWith(text))).toBe(true);
    }
    const over = draftWith('x'.repeat(256));
    expect(refusalOf(over)).not.toBeNull();
    expect(await accepts(over)).toBe(false);
  });

  test('every limit is compared', () => {
    expect(limits.map(([code]) => code)).toEqual(issueCodes.filter((code) => code.endsWith('-too-long')));
  });
});

test('the store accepts a description of 512 KB, as we do, and not a byte more', async () => {
  for (const [body_html, isAccepted] of [
    ['ü'.repeat(256 * 1024), true],
    ['x'.repeat(512 * 1024 + 1), false],
  ] as const) {
    const draft = testDraft({ body_html });
    expect([refusalOf(draft) === null, await accepts(draft)]).toEqual([isAccepted, isAccepted]);
  }
});

test('the store accepts 250 tags, as we do, and no more', async () => {
  for (const [count, isAccepted] of [
    [250, true],
    [251, false],
  ] as const) {
    const draft = testDraft({ tags: Array.from({ length: count }, (_, nth) => `tag ${nth}`).join(', ') });
    expect([refusalOf(draft) === null, await accepts(draft)]).toEqual([isAccepted, isAccepted]);
  }
});

test.each([
  'https://images.example/lamp.jpg',
  'http://images.example/lamp.jpg',
  'ftp://images.example/lamp.jpg',
  'lamp.jpg',
])('the store accepts an image address exactly if we do: %s', async (src) => {
  expect(await accepts(testDraft({ images: [{ src }] }))).toBe(isImageAddress(src));
});
