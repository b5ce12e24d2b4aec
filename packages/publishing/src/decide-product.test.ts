import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { DraftResult } from '@draftshelf/domain/products/draft-product';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { planUpdate } from '@draftshelf/shopify/product/update-input';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import { describe, expect, test } from 'vitest';
import { decideProduct } from './decide-product.ts';
import type { Decision, Listing, ProductFacts, Pushed } from './decision.ts';

const ourId = 'id-1';
const id = 'gid://shopify/Product/1';

/** The draft of the last push, today's draft, and one in between. */
const old = testDraft();
const draft = testDraft({ title: 'New title', collections: ['Lamps', 'Smart'] });
const between = testDraft({ title: 'Title in between' });
const hash = payloadHash(draft);
const none = testDraft({ title: 'New title' });
const withUnknown = { ...between, collections: ['Nowhere'] };
const builtOf = (product: typeof old): Partial<ProductFacts> => ({ built: { ok: true, product } });

const store = {
  locationId: 'gid://shopify/Location/1',
  collections: [
    { id: 'gid://shopify/Collection/1', title: 'lamps', smart: false },
    { id: 'gid://shopify/Collection/2', title: 'Smart', smart: true },
  ],
};

/** Today's draft of a product that no listing knows, with nothing read from the store. */
const facts = (changes: Partial<ProductFacts>): ProductFacts => ({
  ...{ ourId, built: { ok: true, product: draft }, listing: null, idInStore: undefined, live: undefined },
  ...{ stamp: undefined, match: null, choices: new Map(), sendNonOverlapping: false },
  store,
  ...changes,
});

const pushedOf = (sent: typeof old, baseline: Pushed['baseline'] = testLive(sent)): Pushed => ({
  storeProductId: id,
  sent,
  sentHash: payloadHash(sent),
  rebuiltDraft: sent,
  baseline,
  kept: null,
});
const listed = (pushed: Pushed): Listing => ({ pushed, sending: null });
const sending = (
  sent: typeof old,
  pushed: Pushed | null = null,
  kind: 'create' | 'update' | null = pushed ? 'update' : 'create',
): Listing => ({
  pushed,
  sending: {
    ...{ draft: sent, hash: payloadHash(sent), kind, before: null, rebuiltDraft: sent, kept: null },
  },
});
const later = '2026-11-20T11:00:00Z';
/** As though a merchant had changed the title. */
const byMerchant = (live: ReturnType<typeof testLive>) => ({ ...live, title: 'Merchant’s title' });

const creation = toCreateInput(draft, {
  externalId: ourId,
  locationId: store.locationId,
  collectionIds: ['gid://shopify/Collection/1'],
});
const updateOf = (sent: typeof old) => {
  const live = testLive(sent);
  const update = planUpdate(draft, { externalId: ourId, sent, live, seen: live, ...store });
  if (update.kind !== 'update') throw new Error(update.kind);
  const { variables, metafields, quantities, notSent } = update;
  return {
    variables,
    metafields,
    quantities,
    notSent,
    ...{ kept: null, gone: 0, isPartial: false },
    draft: update.draft,
    hash: payloadHash(update.draft),
    before: live,
  };
};

const skip = (
  code: Extract<Decision, { kind: 'skip' }>['code'],
  message: string,
  other: { storeProductId?: string; sendingHash?: string } = {},
): Decision => ({ kind: 'skip', code, message, storeProductId: null, sendingHash: null, ...other });
const inStore = (sent: typeof old) => ({
  storeProductId: id,
  handle: 'brass-lamp',
  sent,
  sentHash: payloadHash(sent),
});

const readListing: Decision = { kind: 'read', by: 'listing' };
const readById: Decision = { kind: 'read', by: 'id', id };
const readStamp: Decision = { kind: 'read', by: 'stamp', id };
const readByOurId: Decision = { kind: 'read', by: 'our-id' };
const unchanged: Decision = { kind: 'unchanged', storeProductId: id, message: null, baseline: null };

/** A product of the store under another id, and what is chosen about it. */
const matchOf = (choice: MatchChoice, kind: 'sku' | 'gtin' = 'sku') => ({
  ...{ state: 'as copied', isOurs: false, storeProductId: id, supplier: null, kind, choice },
});

const whole = { code: null, message: null, metafields: null, quantities: [] };

type Row = [situation: string, facts: Partial<ProductFacts>, decision: Decision];

test.each<Row>([
  [
    'fields are missing',
    {
      built: { ok: false, reason: 'Missing required fields', missing: ['title', 'price'] },
      listing: undefined,
    },
    skip('missing-fields', 'Missing required fields: title, price'),
  ],
  [
    'texts are too long',
    {
      built: { ok: true, product: testDraft({ title: 'x'.repeat(256), vendor: 'y'.repeat(256) }) },
      listing: undefined,
    },
    skip('too-long', 'Over Shopify’s 255-character limit: title, brand'),
  ],
  [
    'texts of a variant are too long',
    {
      built: {
        ok: true,
        product: testDraft({ variants: [testVariant(), testVariant({ sku: 'x'.repeat(256) })] }),
      },
      listing: undefined,
    },
    skip('too-long', 'Over Shopify’s 255-character limit: SKU'),
  ],
  ['the listing was not read', { listing: undefined }, readListing],
])('a draft: %s', check);

test.each<Row>([
  ['no listing', {}, { kind: 'create', variables: creation, draft, hash, notSent: [] }],
  [
    'a listing of a write that had no effect',
    { listing: { pushed: null, sending: null } },
    { kind: 'create', variables: creation, draft, hash, notSent: [] },
  ],
  [
    'no location and no collections in the store',
    { store: { locationId: null, collections: [] } },
    {
      kind: 'create',
      variables: toCreateInput(none, { externalId: ourId, locationId: null, collectionIds: [] }),
      draft: none,
      hash: payloadHash(none),
      notSent: ['collection “Lamps” (not in the store)', 'collection “Smart” (not in the store)'],
    },
  ],
])('a new product: %s', check);

test.each<Row>([
  ['not read', { idInStore: id }, readById],
  [
    'found by our id, but absent',
    { idInStore: id, live: null },
    { kind: 'wait', message: 'The store is still deleting this product.' },
  ],
  [
    'other content',
    { idInStore: id, live: testLive(old) },
    skip('different-content', 'Already in the store with different content; left unchanged.', {
      storeProductId: id,
    }),
  ],
  [
    'our content',
    { idInStore: id, live: testLive(draft) },
    { kind: 'adopt', message: null, listing: { ...inStore(draft), baseline: testLive(draft) } },
  ],
  [
    'our content, changed by a merchant since',
    { idInStore: id, live: byMerchant(testLive(draft)) },
    { kind: 'adopt', message: null, listing: { ...inStore(draft), baseline: null } },
  ],
  [
    'our content, after a write that had no effect',
    { listing: { pushed: null, sending: null }, idInStore: id, live: testLive(draft) },
    { kind: 'adopt', message: null, listing: { ...inStore(draft), baseline: testLive(draft) } },
  ],
])('in the store, but on no listing: %s', check);

test.each<Row>([
  ['the same draft as sent, not read', { listing: listed(pushedOf(draft)) }, readStamp],
  [
    'the same draft as sent, not changed in the store since',
    { listing: listed(pushedOf(draft)), stamp: testLive(draft).updatedAt },
    unchanged,
  ],
  [
    'the same draft as sent, changed in the store',
    { listing: listed(pushedOf(draft)), stamp: later },
    readById,
  ],
  [
    'the same draft as sent, and a title by a merchant',
    { listing: listed(pushedOf(draft)), stamp: later, live: byMerchant(testLive(draft)) },
    { ...unchanged, message: 'Changed in the store since the last push (title).' },
  ],
  [
    'the same draft as sent, of which only what is not compared has changed',
    { listing: listed(pushedOf(draft)), stamp: later, live: testLive(draft, { updatedAt: later }) },
    { ...unchanged, baseline: testLive(draft, { updatedAt: later }) },
  ],
  [
    'the same draft as sent, deleted in the store',
    { listing: listed(pushedOf(draft)), stamp: null },
    skip('deleted-in-store', 'Deleted in the store since the last push.', { storeProductId: id }),
  ],
  ['the same draft as sent, never read back', { listing: listed(pushedOf(draft, null)) }, readById],
  [
    'the same draft as sent, never read back, and as sent',
    { listing: listed(pushedOf(draft, null)), live: testLive(draft) },
    { ...unchanged, baseline: testLive(draft) },
  ],
  [
    'another version would have sent today’s draft from the same values',
    {
      listing: listed({ ...pushedOf(old), rebuiltDraft: draft }),
      stamp: testLive(old).updatedAt,
    },
    unchanged,
  ],
  ['another draft, not read', { listing: listed(pushedOf(old)) }, readById],
  [
    'deleted in the store',
    { listing: listed(pushedOf(old)), live: null },
    skip('deleted-in-store', 'Deleted in the store since the last push.', { storeProductId: id }),
  ],
  [
    'changed in the store',
    { listing: listed(pushedOf(old)), live: { ...byMerchant(testLive(old)), vendor: 'Other' } },
    skip('drifted', 'Changed in the store since the last push (title, vendor); left unchanged.', {
      storeProductId: id,
    }),
  ],
  [
    'never read back, and not as sent',
    { listing: listed(pushedOf(old, null)), live: byMerchant(testLive(old)) },
    skip('drifted', 'Changed in the store since the last push.', { storeProductId: id }),
  ],
  [
    'never read back, and as sent',
    { listing: listed(pushedOf(old, null)), live: testLive(old) },
    { kind: 'update', ...updateOf(old), baseline: testLive(old) },
  ],
  [
    'as read back',
    { listing: listed(pushedOf(old)), live: testLive(old) },
    { kind: 'update', ...updateOf(old), baseline: null },
  ],
  [
    'only collections differ, and the store has none of them',
    {
      listing: listed(pushedOf({ ...draft, collections: ['Smart'] })),
      live: testLive(draft),
      store: { ...store, collections: [] },
    },
    skip('not-sent', 'Not sent: collection “Lamps” (not in the store).', { storeProductId: id }),
  ],
  [
    'a changed list cannot be merged',
    {
      built: { ok: true, product: testDraft({ images: [] }) },
      listing: listed(pushedOf(old)),
      live: testLive(old, {
        complete: { variants: true, media: false, metafields: true, collections: true },
      }),
    },
    skip('blocked', 'Too many images in the store to merge.', { storeProductId: id }),
  ],
])('pushed before: %s', check);

test.each<Row>([
  ['not read', { listing: sending(draft) }, readByOurId],
  ['not read, although the draft was sent before', { listing: sending(draft, pushedOf(draft)) }, readByOurId],
  ['a creation that did not arrive', { listing: sending(draft), live: null }, { kind: 'not-arrived' }],
  [
    'an update that did not arrive',
    { listing: sending(draft, pushedOf(old)), live: testLive(old) },
    { kind: 'not-arrived' },
  ],
  [
    'a creation that arrived',
    { listing: sending(draft), live: testLive(draft) },
    { kind: 'record', outcome: 'created', ...whole, listing: inStore(draft), thenDecide: false },
  ],
  [
    'a take-over that arrived',
    { listing: sending(draft, null, 'update'), live: testLive(draft) },
    { kind: 'record', outcome: 'updated', ...whole, listing: inStore(draft), thenDecide: false },
  ],
  [
    'an update that arrived',
    { listing: sending(draft, pushedOf(old)), live: testLive(draft) },
    { kind: 'record', outcome: 'updated', ...whole, listing: inStore(draft), thenDecide: false },
  ],
  [
    'the creation of an earlier draft that arrived',
    { listing: sending(between), live: testLive(between) },
    { kind: 'record', outcome: 'created', ...whole, listing: inStore(between), thenDecide: true },
  ],
  [
    'an update to an earlier draft that arrived',
    { listing: sending(between, pushedOf(old)), live: testLive(between) },
    { kind: 'record', outcome: 'updated', ...whole, listing: inStore(between), thenDecide: true },
  ],
  [
    'an update that arrived without a collection that the store lacks',
    { listing: sending(between, pushedOf(old)), live: testLive(between), ...builtOf(withUnknown) },
    {
      ...{ kind: 'record', outcome: 'updated', ...whole, listing: inStore(between), thenDecide: false },
      message: 'Not sent: collection “Nowhere” (not in the store).',
    },
  ],
  [
    'deleted in the store',
    { listing: sending(draft, pushedOf(old)), live: null },
    skip('deleted-in-store', 'Deleted in the store since the last push.', {
      storeProductId: id,
      sendingHash: hash,
    }),
  ],
  [
    'changed in the store',
    { listing: sending(draft, pushedOf(old)), live: byMerchant(testLive(old)) },
    skip('lost-answer', 'Changed in the store while a response was lost; left unchanged.', {
      storeProductId: id,
      sendingHash: hash,
    }),
  ],
  [
    'never pushed, and other content under our id',
    { listing: sending(draft), live: testLive(old) },
    skip('lost-answer', 'Changed in the store while a response was lost; left unchanged.', {
      sendingHash: hash,
    }),
  ],
  [
    'fields are missing by now: its sending stays',
    {
      built: { ok: false, reason: 'Missing required fields', missing: ['price'] },
      listing: sending(draft),
    },
    skip('missing-fields', 'Missing required fields: price'),
  ],
])('found sending: %s', check);

test('a change of a gone product has arrived if the store has its status, whatever somebody changed since', () => {
  const archived = testDraft({ ...old, status: 'archived' });
  const listing = sending(archived, pushedOf(old));
  const changed = byMerchant(testLive(old));
  const verdict = (live: typeof changed) =>
    decideProduct(facts({ listing, live, isOfGone: true, sendsStatus: true })).kind;
  expect(verdict({ ...changed, status: 'ARCHIVED' })).toBe('record');
  // The hash is not sent with a status alone.
  expect(verdict({ ...testLive(old), status: 'ARCHIVED' })).toBe('record');
  expect(verdict(changed)).toBe('skip');
});

test('a change of a gone product has not arrived because a price that it left has changed again', () => {
  const priced = (price: string) => ({
    ...testLive(old),
    variants: testLive(old).variants.map((one) => ({ ...one, price })),
  });
  const before = priced('20.00');
  const kept = {
    variants: before.variants.map(({ id: variant, price }) => ({ id: variant, price })),
    answers: {},
  };
  const listing = sending(testDraft({ ...old, status: 'archived' }), pushedOf(old));
  const lost = { ...listing, sending: listing.sending && { ...listing.sending, before, kept } };
  const again = facts({ listing: lost, live: priced('21.00'), isOfGone: true, sendsStatus: true });
  expect(decideProduct(again).kind).toBe('skip');
});

function check(_situation: string, changes: Partial<ProductFacts>, decision: Decision): void {
  const { question: _, ...decided } = decideProduct(facts(changes));
  expect(decided).toStrictEqual(decision);
}

test('a product that the store has under another id is skipped, created or taken over, as chosen', () => {
  expect(decideProduct(facts({ match: matchOf('skip') }))).toMatchObject(
    skip('in-store', 'Already in the store with the same SKU.', { storeProductId: id }),
  );
  expect(decideProduct(facts({ match: matchOf('create') }))).toEqual(decideProduct(facts({})));
  expect(decideProduct(facts({ match: matchOf('update') }))).toEqual(readById);
  expect(decideProduct(facts({ match: matchOf('update'), live: null }))).toEqual(decideProduct(facts({})));
  // Own listings and the product under our id come first.
  expect(decideProduct(facts({ match: matchOf('skip'), idInStore: id }))).toEqual(readById);
  const pushed = listed(pushedOf(draft));
  const own = facts({ match: matchOf('skip'), listing: pushed, stamp: testLive(draft).updatedAt });
  expect(decideProduct(own)).toMatchObject({ kind: 'unchanged' });
});

test('taking over sends our id and what differs, by the store’s id, and keeps status, images and what is theirs', () => {
  const theirs = {
    ...testLive(old, { status: 'ACTIVE', externalId: null, payloadHash: null, tags: ['Bestseller'] }),
    metafields: [{ namespace: 'reviews', key: 'rating', type: 'single_line_text_field', value: '5' }],
  };
  const decision = decideProduct(facts({ match: matchOf('update', 'gtin'), live: theirs }));
  if (decision.kind !== 'update') throw new Error(decision.kind);
  const { identifier, input } = decision.variables;
  expect(identifier).toEqual({ id });
  expect(Object.keys(input).sort()).toEqual(['metafields', 'tags', 'title']);
  expect(input.tags).toEqual(['Bestseller', 'brass', 'lamp']);
  expect(input.metafields).toContainEqual(theirs.metafields[0]);
  expect(input.metafields).toContainEqual({ namespace: 'scd', key: 'external_id', value: ourId });
  expect(input.metafields).toContainEqual(
    expect.objectContaining({ key: 'payload', value: payloadHash(decision.draft) }),
  );
  // The status is the merchant's.
  const variants = draft.variants.map((variant) => ({ ...variant, weight: 0, weight_unit: 'kg' }));
  expect(decision.draft).toEqual({ ...draft, status: 'active', published: true, variants });
  const incomplete = { ...theirs, complete: { ...theirs.complete, metafields: false } };
  const single = decideProduct(facts({ match: matchOf('update', 'gtin'), live: incomplete }));
  if (single.kind !== 'update') throw new Error(single.kind);
  expect(single.variables.input).not.toHaveProperty('metafields');
  expect(single.metafields?.set.map(({ key }) => key)).toEqual(['external_id', 'import_source', 'payload']);
});

test('taking over keeps variants that the draft does not have, or is blocked if their options differ', () => {
  const match = matchOf('update');
  const ofSizes = (...sizes: string[]) =>
    testDraft({
      options: [{ name: 'Size', values: sizes }],
      variants: sizes.map((option1) => testVariant({ option1, sku: `LAMP-${option1}` })),
    });
  const theirs = { ...testLive(ofSizes('S', 'M', 'L')), externalId: null, payloadHash: null };
  const takenOver = (product: typeof old) =>
    decideProduct(facts({ match, live: theirs, built: { ok: true, product } }));
  const same = takenOver(ofSizes('M'));
  if (same.kind !== 'update') throw new Error(same.kind);
  expect(same.variables.input.variants).toBeUndefined();
  const priced = ofSizes('M');
  const [medium] = priced.variants;
  if (medium) medium.price = '30.00';
  const changed = takenOver(priced);
  if (changed.kind !== 'update') throw new Error(changed.kind);
  const variants = changed.variables.input.variants ?? [];
  expect(variants.map((variant) => variant.id).sort()).toEqual(theirs.variants.map((variant) => variant.id));
  expect(variants[1]).toMatchObject({ id: theirs.variants[1]?.id, price: '30.00' });
  expect(takenOver(draft)).toMatchObject({ kind: 'skip', code: 'blocked' });
});

test('a product of which all rows are left out is skipped before anything is read', () => {
  const built: DraftResult = { ok: false, reason: 'Left out of the push', missing: [] };
  const leftOut = skip('left-out', 'Left out of the push. In the store, it stays as it is.');
  for (const listing of [undefined, null, listed(pushedOf(draft)), sending(draft)]) {
    expect(decideProduct(facts({ built, listing }))).toEqual(leftOut);
  }
  const match = matchOf('update');
  expect(decideProduct(facts({ built, match }))).toEqual(leftOut);
});

describe('an update with a quantity whose product has arrived', () => {
  const restocked = testDraft({ title: 'New title', variants: [testVariant({ inventory_quantity: 90 })] });
  const pushed = pushedOf(old);
  const before = testLive(old);
  const pending = { ...sending(restocked, pushed).sending, before } as Listing['sending'];
  const was = before.variants[0]?.quantity ?? 0;
  /** Decides by the quantity that the store has now. */
  const decide = (quantity: number, unset?: ProductFacts['unset'], areKeysForgotten = false) => {
    const live = testLive(restocked);
    const variants = live.variants.map((one) => ({ ...one, quantity }));
    const listing = { pushed, sending: pending && { ...pending, areKeysForgotten } };
    return decideProduct(facts({ ...builtOf(restocked), listing, live: { ...live, variants }, unset }));
  };
  const change = {
    inventoryItemId: before.variants[0]?.inventoryItemId,
    changeFromQuantity: was,
    quantity: 90,
  };
  const sentOf = (quantity: number) => ({ variants: [{ inventory_quantity: quantity }] });
  const stale = { isStale: true, reason: 'changed in the store meanwhile', times: 1 };

  test.each([
    ['it has not', was, undefined, { outcome: 'updated', quantities: [change], message: null }, 90],
    ['it has', 90, undefined, { outcome: 'updated', quantities: [], message: null }, 90],
    ['it may have', 3, undefined, { outcome: 'updated', quantities: [change], message: null }, 90],
    [
      ...(['others have changed it', 3, stale] as const),
      { quantities: [], message: `Not sent: quantity of LAMP-1 (changed in the store from ${was} to 3).` },
      was,
    ],
    ['it is as before again', was, stale, { quantities: [change], message: null }, 90],
    [
      ...(['the store refuses it', was, { isStale: false, reason: 'refused', times: 1 }] as const),
      { quantities: [], message: 'Not sent: quantity of LAMP-1 (refused).' },
      was,
    ],
  ])('%s', (_situation, quantity, unset, decision, sent) => {
    const listing = { sent: sentOf(sent), sentHash: payloadHash(restocked) };
    expect(decide(quantity, unset)).toMatchObject({
      kind: 'record',
      thenDecide: false,
      ...decision,
      listing,
    });
  });

  test('is set only from the earlier quantity once the store has forgotten the key', () => {
    const message = `Not sent: quantity of LAMP-1 (changed in the store from ${was} to 3).`;
    expect(decide(3, undefined, true)).toMatchObject({ kind: 'record', quantities: [], message });
    expect(decide(was, undefined, true)).toMatchObject({ quantities: [change], message: null });
    expect(decide(90, undefined, true)).toMatchObject({ quantities: [], message: null });
  });
});

test('a quantity that the store does not stock is named after that, and others of the product are set', () => {
  const sized = (quantity: number) =>
    testDraft({
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: ['S', 'M'].map((option1) =>
        testVariant({ option1, sku: `LAMP-${option1}`, barcode: '', inventory_quantity: quantity }),
      ),
    });
  const [sent, next] = [sized(7), sized(90)];
  const live = testLive(sent);
  const variants = live.variants.map((one, at) => ({ ...one, quantity: at === 0 ? null : one.quantity }));
  const before = { ...live, variants };
  const listing = sending(next, pushedOf(sent));
  const pending = { ...listing, sending: { ...listing.sending, before } as Listing['sending'] };
  const found = { ...builtOf(next), listing: pending, live: { ...before, payloadHash: payloadHash(next) } };
  expect(decideProduct(facts(found))).toMatchObject({ kind: 'record', quantities: [{}, {}], message: null });
  const unset = { isStale: true, reason: 'changed in the store meanwhile', times: 1 };
  expect(decideProduct(facts({ ...found, unset }))).toMatchObject({
    kind: 'record',
    quantities: [{ inventoryItemId: variants[1]?.inventoryItemId, quantity: 90 }],
    message: 'Not sent: quantity of LAMP-S (not stocked at the store’s location).',
    listing: { sent: { variants: [{ inventory_quantity: 7 }, { inventory_quantity: 90 }] } },
  });
});

describe('a product with left-out rows', () => {
  const ofSizes = (...sizes: string[]) =>
    testDraft({
      options: [{ name: 'Size', values: sizes }],
      variants: sizes.map((option1) => testVariant({ option1, sku: `LAMP-${option1}`, barcode: '' })),
    });
  const all = ofSizes('S', 'M');
  const small = { ok: true as const, product: ofSizes('S'), leftOut: { rows: 1, images: [] } };

  test('is created without their variants', () => {
    const decision = decideProduct(facts({ built: small }));
    expect(decision).toMatchObject({ kind: 'create', draft: { variants: [{ option1: 'S' }] } });
  });

  test('is unchanged if only they were left out since the last push', () => {
    const stamp = testLive(all).updatedAt;
    expect(decideProduct(facts({ built: small, listing: listed(pushedOf(all)), stamp }))).toEqual(unchanged);
  });

  test('counts an update that arrived with their variants as the one that was begun', () => {
    const listing = sending(all, pushedOf({ ...all, title: 'Lamp before' }));
    expect(decideProduct(facts({ built: small, listing, live: testLive(all) }))).toMatchObject({
      ...{ kind: 'record', outcome: 'updated', thenDecide: false },
    });
  });

  test('is not updated if its variants in the store have other options', () => {
    const { options, ...plain } = small.product;
    expect(options).toHaveLength(1);
    const built = { ...small, product: { ...plain, variants: [testVariant()] } };
    expect(decideProduct(facts({ built, listing: listed(pushedOf(all)) }))).toMatchObject({
      ...{ kind: 'skip', code: 'blocked', storeProductId: id },
    });
  });
});
