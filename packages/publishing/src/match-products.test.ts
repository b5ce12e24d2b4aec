import { testDraft } from '@draftshelf/shopify/testing/drafts';
import { expect, test } from 'vitest';
import { applyMatch, type ProductMatch } from './match-products.ts';
import type { ProductToPublish } from './publish-context.ts';

test('a product whose write has no result is resolved before it moves to the id of its match', () => {
  const settings = {
    whenInStore: 'skip',
    isChosen: false,
    sendNonOverlapping: true,
    choices: new Map(),
  } as const;
  const deleted = {
    ourId: 'theirs',
    storeProductId: 'gid://shopify/Product/1',
    isDeleted: true,
  } as ProductMatch;
  const movedWith = (sending: object | null) => {
    const found = { sending } as ProductToPublish['found'];
    const built = { ok: true, product: testDraft() } as const;
    return applyMatch({ ourId: 'ours', built, source: null, found, idInStore: undefined }, deleted, settings);
  };
  expect(movedWith({})).toMatchObject({ ourId: 'ours', resolvesOwnWrite: true });
  expect(movedWith(null)).toMatchObject({ ourId: 'theirs', found: undefined });
  expect(movedWith(null).resolvesOwnWrite).toBeUndefined();
});
