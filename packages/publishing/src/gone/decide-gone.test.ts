import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { type GoneAction, goneTag } from '@draftshelf/domain/suppliers/gone';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import { describe, expect, test } from 'vitest';
import { decideGone } from './decide-gone.ts';

const whole = { keys: ['s:LAMP-1'], isWhole: true, isListed: false, soldBy: null };

/** What is decided about a product that was sent like this, was `seen` so after that, and is `live` so now. */
function decide(
  action: GoneAction,
  sent: DraftProduct,
  { seen = testLive(sent), live = seen }: { seen?: LiveProduct; live?: LiveProduct } = {},
  product: Partial<typeof whole> = {},
) {
  const pushed = { storeProductId: live.id, sent, sentHash: payloadHash(sent), rebuiltDraft: sent };
  return decideGone({
    ...{ ourId: 'id-1', action, product: { ...whole, ...product }, source: null, live },
    listing: { pushed: { ...pushed, baseline: seen, kept: null }, sending: null },
    store: { locationId: 'gid://shopify/Location/1', collections: [] },
  });
}

const draft = testDraft();
const published = testLive(draft, { status: 'ACTIVE' });
const withQuantity = (quantity: number) =>
  testDraft({ variants: [testVariant({ inventory_quantity: quantity })] });
const liveWith = (sent: DraftProduct, quantity: number | null): LiveProduct => {
  const live = testLive(sent);
  return { ...live, variants: live.variants.map((one) => ({ ...one, quantity })) };
};

describe('a product that is gone', () => {
  test('becomes a draft although it was sent as one: the merchant published it before our last look', () => {
    const decision = decide('draft', draft, { seen: published });
    expect(decision).toMatchObject({ kind: 'write', draft: { built: { product: { status: 'draft' } } } });
  });

  test('stays if the merchant published it since our last look', () => {
    expect(decide('draft', draft, { live: published })).toMatchObject({
      ...{ kind: 'keep', code: 'changed' },
      message: 'Set to active in the store since the last push.',
    });
  });

  const tagged = testDraft({ tags: `brass, lamp, ${goneTag}` });
  test.each<[string, ReturnType<typeof decide>, object]>([
    ['a draft', decide('draft', draft), { kind: 'already' }],
    ['without stock', decide('quantity', withQuantity(0)), { kind: 'already' }],
    ['sold out', decide('quantity', withQuantity(7), { live: liveWith(draft, 0) }), { kind: 'already' }],
    [
      'stocked again after its quantity was set to 0',
      decide('quantity', withQuantity(0), { live: liveWith(withQuantity(0), 5) }),
      { kind: 'keep', code: 'sold-since' },
    ],
    [
      'stocked nowhere',
      decide('quantity', withQuantity(7), { live: liveWith(draft, null) }),
      { kind: 'keep', code: 'not-sent' },
    ],
    ['tagged', decide('tag', tagged), { kind: 'already' }],
    [
      'without the tag that we had sent',
      decide('tag', tagged, { live: testLive(tagged, { tags: ['brass', 'lamp'] }) }),
      { kind: 'keep', code: 'tag-removed' },
    ],
  ])('is so already only if the store has it so: %s', (_case, decision, expected) => {
    expect(decision).toMatchObject(expected);
    if (decision.kind === 'keep') expect(decision.message).toMatch(/^The tag|^Its quantity|^Not sent: /);
  });

  test.each([
    ['another supplier has it', { soldBy: 'Beta' }, 'Still sold by Beta.'],
    [
      'one of its variants is listed',
      { isWhole: false, isListed: true },
      'Only a variant is no longer listed.',
    ],
    [
      'not all of its variants were chosen',
      { isWhole: false },
      'Other variants of it are no longer listed either.',
    ],
  ])('stays if %s', (_case, product, message) => {
    const decision = decide('archive', draft, {}, product as Partial<typeof whole>);
    expect(decision).toMatchObject({ kind: 'keep', message: expect.stringContaining(message) });
  });
});
