import type { SilentFieldNames } from '@draftshelf/domain/products/draft-product';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { planUpdate, type UpdatePlan } from '@draftshelf/shopify/product/update-input';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import { expect, it } from 'vitest';
import {
  changedParts,
  findPlannedDifferences,
  rankChange,
  rankUnchanged,
  selectShownChanges,
} from './planned-differences.ts';
import { unreadFacts } from './read-facts.ts';

const collections = [{ id: 'gid://shopify/Collection/1', title: 'Lamps', smart: false }];
const by = (draft = testDraft()) => ({
  ...unreadFacts,
  built: { ok: true, product: draft } as const,
  source: null,
});

it('a new product differs in all of its values', () => {
  const draft = testDraft();
  const variables = toCreateInput(draft, { externalId: 'a', locationId: null, collectionIds: [] });
  const { sent, differences, images } = findPlannedDifferences(
    { decision: { kind: 'create', variables, draft, hash: '', notSent: [] }, by: by() },
    [],
  );
  expect(sent).toBe(true);
  expect(differences.every(({ store }) => store === null)).toBe(true);
  expect(differences).toContainEqual({ part: 'title', name: '', store: null, push: draft.title });
  expect(images).toEqual({ store: [], push: draft.images.map(({ src, alt = null }) => ({ url: src, alt })) });
});

/** The decision to send an update of a product. */
function decided(update: UpdatePlan, before: LiveProduct) {
  if (update.kind !== 'update') throw new Error(update.kind);
  return { ...update, hash: '', baseline: null, before, kept: null, gone: 0, isPartial: false };
}

it('an update differs in what is sent, by variant and with merged lists', () => {
  const sent = testDraft({ tags: 'ours' });
  const live = { ...testLive(sent), tags: ['ours', 'theirs'], status: 'ACTIVE' };
  const next = testDraft({ tags: 'ours, new', title: 'Next', variants: [testVariant({ price: '99' })] });
  const update = planUpdate(next, {
    ...{ externalId: 'a', sent, live, seen: null, collections, locationId: null },
  });
  const decision = decided(update, live);
  expect(findPlannedDifferences({ decision, by: by(next) }, collections).differences).toEqual([
    { part: 'title', name: '', store: live.title, push: 'Next' },
    { part: 'tags', name: '', store: 'ours, theirs', push: 'new, ours, theirs' },
    { part: 'variants', name: 'price', store: live.variants[0]?.price, push: '99.00' },
  ]);
  expect(changedParts(findPlannedDifferences({ decision, by: by(next) }, collections).differences)).toEqual([
    ...['title', 'tags', 'price'],
  ]);
});

it('a renamed variant keeps its name in the store, also beside a new one with that name', () => {
  const sized = (...sizes: [size: string, sku: string][]) =>
    testDraft({
      options: [{ name: 'Size', values: sizes.map(([size]) => size) }],
      variants: sizes.map(([size, sku]) => testVariant({ title: size, option1: size, sku, barcode: '' })),
    });
  const sent = sized(['S', 'A'], ['M', 'B']);
  const next = sized(['Small', 'A'], ['M', 'B'], ['S', 'C']);
  const live = testLive(sent);
  const update = planUpdate(next, {
    ...{ externalId: 'a', sent, live, seen: live, collections, locationId: null, canRename: true },
  });
  const decision = decided(update, live);
  const { differences } = findPlannedDifferences({ decision, by: by(next) }, collections);
  expect(differences.filter(({ name }) => /options|SKU/.test(name))).toEqual([
    { part: 'variants', name: 'S · options', store: 'Size: S', push: 'Size: Small' },
    { part: 'variants', name: 'S (new) · options', store: null, push: 'Size: S' },
    { part: 'variants', name: 'S (new) · SKU', store: null, push: 'C' },
  ]);
  expect(changedParts(differences)).toEqual(['variants']);
  expect(differences.every(({ store, name }) => store === null || name === 'S · options')).toBe(true);
});

it('a skipped product shows the store and the draft, and sends nothing', () => {
  const stored = testLive(testDraft());
  const media = stored.media.map((one) => ({ ...one, url: 'https://cdn.example/copy.jpg' }));
  const live = { ...stored, title: 'Theirs', media };
  const decision = {
    kind: 'skip',
    code: 'different-content',
    message: '',
    storeProductId: live.id,
    sendingHash: null,
  } as const;
  const { sent, differences } = findPlannedDifferences({ decision, by: { ...by(), live } }, []);
  expect(sent).toBe(false);
  // The store's copies of our images have other addresses.
  expect(media.length).toBeGreaterThan(0);
  expect(differences.map(({ part }) => part)).not.toContain('images');
  expect(differences).toContainEqual({ part: 'title', name: '', store: 'Theirs', push: testDraft().title });
});

it('a skipped product shows nothing of a product in the store that was not read', () => {
  const skip = {
    kind: 'skip',
    code: 'in-store',
    message: '',
    storeProductId: 'a',
    sendingHash: null,
  } as const;
  const { differences } = findPlannedDifferences({ decision: skip, by: by() }, []);
  expect(differences).toEqual([]);
});

it('a skipped product shows no default for what the file says nothing about', () => {
  const draft = testDraft();
  const [variant] = testLive(draft).variants;
  const theirs = {
    ...{ title: 'Theirs', status: 'ACTIVE', productType: 'Vases' },
    variants: variant ? [{ ...variant, price: '19.00', tracked: false, cost: '2.00' }] : [],
  };
  const live = testLive(draft, theirs);
  const skip = { kind: 'skip', code: 'in-store', message: '' } as const;
  const decision = { ...skip, storeProductId: live.id, sendingHash: null };
  const silence: SilentFieldNames = {
    product: ['product_type'],
    variants: [['inventory_management']],
    metafields: [],
    emptied: [],
    status: null,
  };
  const built = { ok: true, product: draft, silent: { ofOurs: silence, ofOthers: silence } } as const;
  const { differences } = findPlannedDifferences({ decision, by: { ...by(), built, live } }, []);
  expect(differences).toEqual([
    { part: 'title', name: '', store: 'Theirs', push: draft.title },
    { part: 'variants', name: 'price', store: '19.00', push: '24.90' },
    { part: 'variants', name: 'cost', store: '2.00', push: '11.50' },
  ]);
});

it('a drifted product leaves out what the store has filled in, unless the push would clear it', () => {
  const price = (value: string) => ({ variants: [testVariant({ price: value })] });
  const draft = testDraft({ vendor: '', ...price('15') });
  const baseline = testLive(draft, { vendor: 'The Store' });
  const decision = {
    kind: 'skip',
    code: 'drifted',
    message: '',
    storeProductId: baseline.id,
    sendingHash: null,
  } as const;
  const differing = (live: typeof baseline, sent = draft) => {
    const storeProductId = live.id;
    const pushed = { storeProductId, sent, sentHash: '', rebuiltDraft: sent, baseline, kept: null };
    const read = { ...by(draft), live, listing: { pushed, sending: null } };
    return findPlannedDifferences({ decision, by: read }, []).differences.map(({ part }) => part);
  };
  const priced = { ...baseline, ...testLive(testDraft(price('19'))), vendor: 'The Store' };
  expect(differing(priced)).toEqual(['variants']);
  // Somebody has changed it, or we have sent one before: our empty value would replace it.
  expect(differing({ ...priced, vendor: 'Acme' })).toEqual(['vendor', 'variants']);
  expect(differing(priced, testDraft({ vendor: 'Acme' }))).toEqual(['vendor', 'variants']);
});

const price = (store: string | null, push: string | null, name = 'price') => ({
  ...{ part: 'variants', name, store, push },
});
const title = { part: 'title', name: '', store: 'Vase', push: 'Blue vase' };

it('a line shows the prices that change most, then the first of its other differences', () => {
  const [cheaper, dearer] = [price('40.00', '10.00', 'S · price'), price('10.00', '12.00', 'M · price')];
  expect(selectShownChanges([title, dearer, price(null, '9.00'), cheaper])).toEqual({
    shown: [cheaper, dearer, title],
    more: 1,
  });
  expect(selectShownChanges([])).toBeUndefined();
});

it('a long value is shown without its sides', () => {
  const description = { part: 'description', name: '', store: '<p>Short</p>', push: 'x'.repeat(161) };
  expect(selectShownChanges([description])).toEqual({
    shown: [{ ...description, store: null, push: null }],
    more: 0,
  });
});

it('changes of prices come first by their factor, then those of most values, and what stays comes last', () => {
  const changes = [
    [price('0.00', '5.00')],
    [title, price('80.00', '8.00')],
    [price('10.00', '50.00')],
    [price('10.00', '10.01')],
    Array.from({ length: 2000 }, () => title),
    [title, price(null, '8.00')],
    [title],
    [],
  ];
  const ranks = [...changes.map(rankChange), ...['created', 'skipped', 'unchanged'].map(rankUnchanged)];
  expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
});
