import { describe, expect, test } from 'vitest';
import { testDraft, testLive, testVariant } from '../testing/drafts.ts';
import { decideResend, isAsSent, isExactlyAsWritten, stateAfterWrite } from './as-sent.ts';
import { findDriftedFields, findDriftedParts, listDriftedNames } from './drifted-fields.ts';
import { readInputValues } from './field.ts';
import { variantFieldList } from './fields.ts';
import type { LiveProduct, LiveVariant } from './live-product.ts';
import { planTakeOver } from './take-over.ts';

const draft = testDraft({ title: 'New title' });
const baseline = testLive(testDraft());

test('absent: sent again if it never existed, else the operator decides', () => {
  expect(decideResend(null, { draft, baseline: null })).toBe('send');
  expect(decideResend(null, { draft, baseline })).toBe('skip');
});

test('the hash of our draft proves that the write arrived', () => {
  expect(decideResend(testLive(draft), { draft, baseline: null })).toBe('record');
  expect(decideResend(testLive(draft), { draft, baseline })).toBe('record');
});

test('the store unchanged: the write did not arrive', () => {
  const later = { ...baseline, updatedAt: '2026-11-21T00:00:00Z' };
  expect(decideResend(later, { draft, baseline })).toBe('send');
});

test('neither: somebody else changed the product', () => {
  expect(decideResend(testLive(testDraft(), { title: 'Merchant’s title' }), { draft, baseline })).toBe(
    'skip',
  );
  expect(decideResend(testLive(testDraft()), { draft, baseline: null })).toBe('skip');
});

test('the same hash as before the write proves nothing, equal values do', () => {
  const stale = testLive(testDraft()).payloadHash;
  const back = {
    draft: testDraft(),
    baseline: testLive(testDraft({ title: 'Between' }), { payloadHash: stale }),
  };
  expect(decideResend({ ...back.baseline }, back)).toBe('send');
  expect(decideResend(testLive(testDraft(), { payloadHash: stale }), back)).toBe('record');
});

test('a product is as it was sent if hash and values match', () => {
  expect(isAsSent(testLive(draft), draft)).toBe(true);
  expect(isAsSent(testLive(draft, { title: 'Merchant’s title' }), draft)).toBe(false);
  expect(isAsSent(testLive(draft), testDraft())).toBe(false);
});

describe('what somebody sets between our write and our read is drift later', () => {
  const changed = (live: LiveProduct, price: string): LiveProduct => ({
    ...live,
    title: 'Merchant’s title',
    variants: live.variants.map((one) => ({ ...one, price })),
  });

  test('of a new product, whose description the store may rewrite', () => {
    const live = testLive(draft, { descriptionHtml: '<p>Rewritten</p>' });
    expect(stateAfterWrite(live, draft, { before: null, kept: null })).toEqual(live);
    expect(stateAfterWrite(changed(live, '77.00'), draft, { before: null, kept: null })).toEqual({
      ...live,
      updatedAt: '',
    });
  });

  test('but what an update left as it was stays', () => {
    const before = changed(testLive(testDraft()), '77.00');
    const after = { ...before, payloadHash: testLive(draft).payloadHash };
    expect(stateAfterWrite(after, draft, { before, kept: null })).toEqual(after);
    const since = changed({ ...after, title: 'Between' }, '78.00');
    expect(stateAfterWrite(since, draft, { before: testLive(testDraft()), kept: null })).toEqual({
      ...since,
      title: draft.title,
      variants: testLive(draft).variants,
      updatedAt: '',
    });
    const kept = { title: since.title };
    const left = stateAfterWrite(since, draft, { before: testLive(testDraft()), kept });
    expect(left.title).toBe(since.title);
  });
});

test('a category is as it was sent by its id, whatever its name', () => {
  const id = 'gid://shopify/TaxonomyCategory/hg-3-66';
  const named = testDraft({ category: { id, name: id } });
  const live = testLive(named, { category: { id, fullName: 'Home & Garden > Decor > Vases' } });
  expect(isAsSent(live, named)).toBe(true);
  const other = { id: `${id}-1`, fullName: id };
  expect(isAsSent({ ...live, category: other }, named)).toBe(false);
});

test('what an update kept as changed in the store need not be ours, but as it was before', () => {
  const kept = { title: 'Brass lamp', variants: baseline.variants };
  const variants = baseline.variants.map((one) => ({ ...one, price: '1.00' }));
  const before = { ...baseline, title: 'Merchant’s title', variants };
  const live = { ...testLive(draft), title: before.title, variants };
  expect(isAsSent(live, draft, before)).toBe(false);
  expect(isAsSent(live, draft, before, kept)).toBe(true);
  expect(isAsSent({ ...live, title: 'Changed again' }, draft, before, kept)).toBe(false);
  expect(isAsSent({ ...live, vendor: 'Changed' }, draft, before, kept)).toBe(false);
  expect(isAsSent(live, draft, null, kept)).toBe(true);
});

describe('a product that was taken over', () => {
  const silence = { product: [], variants: [], metafields: [], emptied: [], status: null };
  const sides = (theirs: Parameters<typeof testVariant>[0], ours: Parameters<typeof testVariant>[0]) => {
    const had = testDraft({ variants: [testVariant(theirs)] });
    const before = testLive(had, { externalId: null, payloadHash: null });
    const next = testDraft({ title: 'New title', variants: [testVariant({ price: '30.00', ...ours })] });
    const ofOthers = { ...silence, variants: [['compare_at_price' as const]] };
    const silent = { ofOurs: silence, ofOthers };
    const taken = planTakeOver(next, { externalId: 'id-1', live: before, silent });
    if (taken.kind === 'blocked') throw new Error(taken.reason);
    const { input } = taken.variables;
    const variants = before.variants.map((one, at) => ({
      ...one,
      ...readInputValues<LiveVariant>(variantFieldList, input.variants?.[at] ?? {}),
    }));
    return { before, kept: taken.kept, sent: taken.draft, live: { ...testLive(taken.draft), variants } };
  };

  test.each([
    ['compare-at price', { compare_at_price: '99.90' }, {}, { compareAtPrice: '88.00' }],
    ['SKU', { sku: 'THEIRS' }, {}, { sku: 'OTHER' }],
    ['barcode', { barcode: '0012345678905' }, {}, { barcode: '0036000291452' }],
    ['barcode, and none in the file', { barcode: '0012345678905' }, { barcode: '' }, { barcode: '' }],
    ['barcode, which is filled', { barcode: '' }, {}, { barcode: '' }],
    ['SKU, which is filled', { sku: '' }, {}, { sku: '' }],
    ['out-of-stock policy', { inventory_policy: 'continue' as const }, {}, { price: '1.00' }],
  ])('is as it was written with its own %s', (_field, theirs, ours, changed) => {
    const { before, sent, live, kept } = sides(theirs, ours);
    expect(isAsSent(live, sent, before, kept)).toBe(true);
    expect(isExactlyAsWritten(live, { sent, sentBefore: null, before, kept, collections: [] })).toBe(true);
    const variants = live.variants.map((one) => ({ ...one, ...changed }));
    expect(isAsSent({ ...live, variants }, sent, before, kept)).toBe(false);
    // It had our id before, too.
    const again = { ...before, externalId: 'id-1' };
    expect(isAsSent(live, sent, again, kept)).toBe(true);
    expect(isAsSent({ ...live, variants }, sent, again, kept)).toBe(false);
  });
});

test('a product is as it was written only with our metafields as they were sent, and without those taken back', () => {
  const care = { namespace: 'custom', key: 'care', type: 'single_line_text_field', value: 'Hand wash' };
  const origin = { ...care, key: 'origin', value: 'Crete' };
  const [sentBefore, sent] = [testDraft({ metafields: [origin] }), testDraft({ metafields: [care] })];
  const written = { sent, sentBefore, before: testLive(sentBefore), kept: null, collections: [] };
  const live = testLive(sent);
  expect(isExactlyAsWritten(live, written)).toBe(true);
  const others = live.metafields.filter(({ key }) => key !== 'care');
  expect(isExactlyAsWritten({ ...live, metafields: others }, written)).toBe(false);
  const changed = { ...live, metafields: [...others, { ...care, value: 'By the merchant' }] };
  expect(isExactlyAsWritten(changed, written)).toBe(false);
  const back = { ...live, metafields: [...live.metafields, { ...origin, value: 'By the merchant' }] };
  expect(isExactlyAsWritten(back, written)).toBe(false);
  // Somebody had changed it before, and the write left it.
  expect(isExactlyAsWritten(changed, { ...written, before: changed })).toBe(true);
});

test('amounts are compared as numbers', () => {
  const sending = { draft: testDraft({ variants: [testVariant({ price: '24.9' })] }), baseline: null };
  expect(decideResend(testLive(testDraft(), { payloadHash: null }), sending)).toBe('record');
});

test('drift names the parts that somebody changed, and nothing that Shopify changes itself', () => {
  const media = baseline.media.map((one) => ({ ...one, state: 'FAILED' }));
  expect(findDriftedParts({ ...baseline, media, handle: 'other', updatedAt: 'later' }, baseline)).toEqual([]);
  const variants = baseline.variants.map((one) => ({ ...one, price: '1.00' }));
  expect(findDriftedParts({ ...baseline, variants, tags: ['lamp', 'brass'], vendor: 'X' }, baseline)).toEqual(
    ['vendor', 'variants'],
  );
  const words = (live: typeof baseline) => listDriftedNames(findDriftedFields(live, baseline));
  expect(words({ ...baseline, variants, vendor: 'X' })).toEqual(['vendor', 'price']);
  const recoded = variants.map((one) => ({ ...one, sku: 'other' }));
  expect(words({ ...baseline, variants: recoded })).toEqual(['price', 'SKU']);
  const throughJsonb = Object.fromEntries(Object.entries(baseline).reverse()) as typeof baseline;
  expect(findDriftedParts(throughJsonb, baseline)).toEqual([]);
});

test('what was not read of a list is not drift, what was removed or added in what was read is', () => {
  const media = (...numbers: number[]) =>
    numbers.map((n) => ({
      id: `gid://shopify/MediaImage/${n}`,
      alt: null,
      state: 'READY',
      url: null,
      errors: [],
    }));
  const withImages = (isComplete: boolean, ...numbers: number[]) => ({
    ...baseline,
    media: media(...numbers),
    complete: { ...baseline.complete, media: isComplete },
  });
  const all = withImages(true, 1, 2, 3, 4, 5, 6);
  const start = withImages(false, 1, 2, 3);
  expect(findDriftedParts(all, start)).toEqual([]);
  expect(findDriftedParts(start, all)).toEqual([]);
  expect(findDriftedParts(withImages(false, 2, 3, 4), start)).toEqual([]);
  expect(findDriftedParts(withImages(true, 1, 3, 4, 5, 6), start)).toEqual(['images']);
  expect(findDriftedParts(withImages(false, 1, 2, 7), all)).toEqual(['images']);
  expect(findDriftedParts(withImages(true, 2, 1, 3, 4), start)).toEqual(['images']);
  expect(findDriftedParts(withImages(true, 1, 2, 3), all)).toEqual(['images']);

  const variants = (count: number, price = '24.90') =>
    Array.from({ length: count }, (_, at) => ({
      ...(baseline.variants[0] ?? fail()),
      id: `gid://shopify/ProductVariant/${at}`,
      price,
    }));
  const some = { ...baseline, variants: variants(2), complete: { ...baseline.complete, variants: false } };
  expect(findDriftedParts({ ...baseline, variants: variants(4) }, some)).toEqual([]);
  expect(findDriftedParts({ ...baseline, variants: variants(4, '1.00') }, some)).toEqual(['variants']);
});

function fail(): never {
  throw new Error('The baseline has no variant');
}

test('a draft that a merchant has made active since is not as it was written, unless it was active before', () => {
  const written = { sent: draft, sentBefore: null, before: null, kept: null, collections: [] };
  const live = testLive(draft);
  expect(isExactlyAsWritten(live, written)).toBe(true);
  const active = { ...live, status: 'ACTIVE' as const };
  expect(isExactlyAsWritten(active, written)).toBe(false);
  expect(isExactlyAsWritten(active, { ...written, before: baseline })).toBe(false);
  expect(isExactlyAsWritten(active, { ...written, before: { ...baseline, status: 'ACTIVE' } })).toBe(true);
});
