import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { type GoneAction, goneTag } from '@draftshelf/domain/suppliers/gone';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { KeptValues } from '@draftshelf/shopify/product/drifted-fields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import { describe, expect, test } from 'vitest';
import { decideGone } from './decide-gone.ts';

const whole = { keys: ['s:LAMP-1'], isWhole: true, isListed: false, soldBy: null };

type Seen = { seen?: LiveProduct; live?: LiveProduct; kept?: KeptValues | null };

/** What is decided about a product that was sent like this, was `seen` so after that, and is `live` so now. */
function decide(
  action: GoneAction,
  sent: DraftProduct,
  { seen = testLive(sent), live = seen, kept = null }: Seen = {},
  product: Partial<typeof whole> = {},
) {
  const pushed = { storeProductId: live.id, sent, sentHash: payloadHash(sent), rebuiltDraft: sent };
  return decideGone({
    ...{ ourId: 'id-1', action, product: { ...whole, ...product }, source: null, live },
    listing: { pushed: { ...pushed, baseline: seen, kept }, sending: null },
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
  test.each([
    ['before our last look', { seen: published }],
    ['since our last look', { live: published }],
  ])('becomes a draft although it was sent as one: the merchant published it %s', (_when, store) => {
    const decision = decide('draft', draft, store);
    const built = { product: { status: 'draft' } };
    expect(decision).toMatchObject({ kind: 'write', draft: { built }, isOnSale: true });
  });

  test('is archived although a price that was kept as it is in the store has changed there again', () => {
    const [first] = published.variants as [LiveProduct['variants'][number]];
    const priced = (price: string) => ({ ...published, variants: [{ ...first, price }] });
    const kept = {
      variants: [{ id: first.id, price: '1.00' }],
      answers: { [`${first.id} price`]: 'a hash' },
    };
    const decision = decide('archive', draft, { seen: priced('20.00'), live: priced('21.00'), kept });
    expect(decision).toMatchObject({ kind: 'write', draft: { built: { product: { status: 'archived' } } } });
  });

  test('stays if the merchant took it off sale since our last look', () => {
    const live = testLive(draft, { status: 'DRAFT' });
    expect(decide('archive', draft, { seen: published, live })).toMatchObject({
      ...{ kind: 'keep', code: 'changed' },
      message: 'Set to draft in the store since the last push.',
    });
    expect(decide('archive', draft)).toMatchObject({ kind: 'write', isOnSale: false });
  });

  test.each([
    ['sold', 3, { kind: 'write', draft: { built: { product: { variants: [{ inventory_quantity: 0 }] } } } }],
    ['restocked', 9, { kind: 'keep', code: 'sold-since' }],
  ])('gets quantity 0 over sales, but not over what was restocked: %s', (_what, quantity, expected) => {
    const sent = withQuantity(7);
    const decision = decide('quantity', sent, { seen: liveWith(sent, 7), live: liveWith(sent, quantity) });
    expect(decision).toMatchObject(expected);
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
    if (decision.kind === 'keep')
      expect(decision.message).toMatch(/^The tag|^Restocked in the store|^Not sent: /);
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
      'Other variants of the product are no longer listed either.',
    ],
  ])('stays if %s', (_case, product, message) => {
    const decision = decide('archive', draft, {}, product as Partial<typeof whole>);
    expect(decision).toMatchObject({ kind: 'keep', message: expect.stringContaining(message) });
  });
});
