import { describe, expect, test } from 'vitest';
import { testDraft, testLive, testVariant } from '../testing/drafts.ts';
import type { UndoLive } from '../undo/undo-live.ts';
import type { LiveProduct, LiveVariant } from './live-product.ts';
import { isPartlyRestored } from './touched-parts.ts';

const withSize = (size: string) =>
  testLive(
    testDraft({
      options: [{ name: 'Size', values: [size] }],
      variants: [testVariant({ title: size, option1: size })],
    }),
  );
/** The push has renamed an option value. */
const [before, from] = [withSize('S'), withSize('Small')];
const undoLive = (product: LiveProduct): UndoLive => ({
  ...product,
  createdAt: '2026-11-20T10:00:00Z',
  publishedAt: null,
  templateSuffix: null,
});
const withVariant = (product: LiveProduct, changes: Partial<LiveVariant>) =>
  undoLive({ ...product, variants: product.variants.map((one) => ({ ...one, ...changes })) });
const isBack = (live: UndoLive) => isPartlyRestored(live, { before, from }, []);

describe('whether a part of a product is as before, when an option value was renamed', () => {
  test.each<[string, Partial<LiveVariant>]>([
    ['a field of a variant', { sku: 'KIM-1' }],
    ['the weight of a variant', { weight: { value: 5, unit: 'KILOGRAMS' } }],
    ['the stock of a variant', { quantity: 6 }],
  ])('no: a colleague has changed %s', (_what, changes) => {
    expect(isBack(withVariant(from, changes))).toBe(false);
  });

  test('no: nothing has changed, or a colleague has removed the variant and added another', () => {
    expect(isBack(undoLive(from))).toBe(false);
    expect(isBack(withVariant(from, { id: 'gid://shopify/ProductVariant/9' }))).toBe(false);
  });

  test('yes: the options are, also if a colleague has changed a field of the variant', () => {
    expect(isBack(undoLive(before))).toBe(true);
    expect(isBack(withVariant(before, { sku: 'KIM-1' }))).toBe(true);
  });
});
