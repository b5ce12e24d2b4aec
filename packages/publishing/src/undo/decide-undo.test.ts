import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { undoSentence } from '@draftshelf/domain/push/push-undo';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import type { UndoLive } from '@draftshelf/shopify/undo/undo-live';
import { describe, expect, test } from 'vitest';
import { decideUndo } from './decide-undo.ts';
import type { UndoFacts } from './undo-decision.ts';

const ourId = 'id-1';
const begunAt = new Date('2026-11-20T10:00:00.800Z');
const collections = [
  { id: 'gid://shopify/Collection/1', title: 'Clearance', smart: false },
  { id: 'gid://shopify/Collection/2', title: 'Staff picks', smart: false },
  { id: 'gid://shopify/Collection/3', title: 'All', smart: true },
];
const locationId = 'gid://shopify/Location/1';

const undoLive = (product: LiveProduct, changes: Partial<UndoLive> = {}): UndoLive => ({
  ...product,
  createdAt: '2026-11-20T10:00:00Z',
  publishedAt: null,
  templateSuffix: null,
  ...changes,
});

const draft = testDraft();
const created = testLive(draft);

/** Facts about a product that the push created and nobody has touched. */
const createdFacts = (changes: Partial<UndoFacts> = {}, live: Partial<UndoLive> = {}): UndoFacts => ({
  ...{ ourId, kind: 'create', begunAt, before: null, after: created, isAfterLate: false },
  ...{ sentBefore: null, sentAfter: draft, keptAfter: null, pushedLaterBy: null, alsoPushedBy: null },
  live: undoLive(created, live),
  filesInStore: undefined,
  store: { locationId, collections },
  whenUnsure: 'keep',
  choice: null,
  chosenAbout: null,
  ...changes,
});

const [variant] = created.variants;
if (!variant) throw new Error('The test product has no variant');
const withVariant = (changes: object) => ({ variants: [{ ...variant, ...changes }] });
const custom = { namespace: 'custom', key: 'care', type: 'single_line_text_field', value: 'Dry' };
const staffPicks = 'gid://shopify/Collection/2';

describe('a product that the push created', () => {
  test('is read before anything is decided', () => {
    expect(decideUndo(createdFacts({ live: undefined }))).toEqual({ kind: 'read', by: 'live' });
  });

  test('is gone if the store has deleted it', () => {
    expect(decideUndo(createdFacts({ live: null }))).toEqual({ kind: 'gone' });
  });

  const processed = { ...created.media[0], url: 'https://cdn.example/1.jpg', state: 'READY', errors: [] };
  test.each<[string, Partial<UndoLive>, Partial<UndoFacts>?]>([
    ['nobody has touched it', {}],
    ['the store has processed its images', { media: [processed as LiveProduct['media'][number]] }],
    ['it changed without a difference', { updatedAt: '2026-11-21T10:00:00Z' }],
    ['a smart collection has it', { collectionIds: ['gid://shopify/Collection/3'] }],
    ['our clock is 5 s ahead of the store’s', { createdAt: '2026-11-20T09:59:55Z' }],
    ['it was not read after the push, but is as sent', {}, { after: null }],
    ['its state is of a version without weights', {}, { after: withoutWeights(created) }],
  ])('is deleted if %s', (_case, live, facts = {}) => {
    expect(decideUndo(createdFacts(facts, live))).toEqual({ kind: 'delete', reason: null });
  });

  test.each<[code: string, parts: string[], live: Partial<UndoLive>, facts?: Partial<UndoFacts>]>([
    ['not-recorded', [], {}, { kind: null, begunAt: null }],
    ['not-recorded', [], {}, { kind: 'update' }],
    ['not-recorded', [], {}, { sentAfter: null }],
    ['pushed-later', [], {}, { pushedLaterBy: 'march.csv' }],
    ['also-pushed', [], {}, { alsoPushedBy: 'march.csv' }],
    ['changed', ['title'], { title: 'Other' }, { alsoPushedBy: 'march.csv' }],
    ['changed', ['title'], { title: 'Other' }, { alsoPushedBy: 'march.csv', whenUnsure: 'archive' }],
    ['stock-moved', ['quantities'], withVariant({ quantity: 6 }), { alsoPushedBy: 'march.csv' }],
    ['unverified', [], { title: 'Other' }, { alsoPushedBy: 'march.csv', after: null }],
    [
      'too-many-items',
      ['variants'],
      { complete: { ...created.complete, variants: false } },
      { alsoPushedBy: 'march.csv' },
    ],
    ['also-pushed', [], {}, { alsoPushedBy: 'march.csv', after: null, whenUnsure: 'archive' }],
    ['published', ['published'], { publishedAt: '2026-11-21T10:00:00Z' }, { alsoPushedBy: 'march.csv' }],
    ['pushed-later', [], {}, { alsoPushedBy: 'march.csv', pushedLaterBy: 'april.csv' }],
    ['older-than-push', [], { createdAt: '2026-11-20T09:59:40Z' }, { alsoPushedBy: 'march.csv' }],
    ['older-than-push', [], { createdAt: '2026-11-20T09:59:40Z' }],
    ['not-ours', [], { externalId: 'id-2' }],
    ['not-ours', [], { externalId: null }],
    ['too-many-items', ['variants'], { complete: { ...created.complete, variants: false } }],
    ['unverified', [], { title: 'Other' }, { after: null }],
    ['unverified', [], withVariant({ quantity: 6 }), { after: null }],
    ['unverified', [], withVariant({ cost: '9.00' }), { after: null }],
    ['unverified', [], withVariant({ weight: { value: 2, unit: 'POUNDS' } }), { after: null }],
    ['unverified', [], { metafields: [...created.metafields, custom] }, { after: null }],
    ['unverified', [], { collectionIds: [staffPicks] }, { after: null }],
    ['unverified', [], { media: [] }, { after: null }],
    ['published', ['published'], { publishedAt: '2026-11-21T10:00:00Z' }],
    ['published', ['title', 'published'], { title: 'Other', publishedAt: '2026-11-21T10:00:00Z' }],
    ['in-collections', ['Staff picks'], { collectionIds: [staffPicks] }],
    ['in-collections', ['a collection'], { collectionIds: ['gid://shopify/Collection/9'] }],
    ['other-metafields', ['custom.care'], { metafields: [...created.metafields, custom] }],
    [
      'changed',
      ['scd.import_source'],
      { metafields: created.metafields.filter(({ key }) => key !== 'import_source') },
    ],
    ['stock-moved', ['quantities'], withVariant({ quantity: 6 })],
    ['changed', ['title'], { title: 'Other' }],
    ['changed', ['description'], { descriptionHtml: '<p>Other</p>' }],
    ['changed', ['vendor'], { vendor: 'Other' }],
    ['changed', ['type'], { productType: 'Other' }],
    ['changed', ['status'], { status: 'ACTIVE' }],
    ['changed', ['web address'], { handle: 'other' }],
    ['changed', ['tags'], { tags: ['brass'] }],
    ['changed', ['options'], { options: [{ name: 'Size', values: ['S'] }] }],
    ['changed', ['variants'], withVariant({ price: '1.00' })],
    ['changed', ['variants'], withVariant({ weight: { value: 2, unit: 'KILOGRAMS' } })],
    ['changed', ['variants'], { variants: [] }],
    ['changed', ['variants', 'quantities'], withVariant({ price: '1.00', quantity: 6 })],
    ['changed', ['images'], { media: [] }],
    ['changed', ['images'], { media: created.media.map((one) => ({ ...one, alt: 'Other' })) }],
    ['changed', ['search title'], { seoTitle: 'Other' }],
    [
      'changed',
      ['category'],
      { category: { id: 'gid://shopify/TaxonomyCategory/fr', fullName: 'Furniture > Lamps' } },
    ],
    ['changed', ['theme template'], { templateSuffix: 'lamp' }],
  ])('stays: %s %j', (code, parts, live, facts = {}) => {
    const decision = decideUndo(createdFacts(facts, live));
    expect(decision).toMatchObject({ kind: 'keep', code, parts });
    expect(decision.kind === 'keep' && decision.message).toMatch(/^[A-Z].*\.$/i);
  });

  const touched = { title: 'Other' };
  const march = { file: 'march.csv' };
  const changedTitle = undoSentence('changed', { parts: ['title'] });
  test.each<[string, Partial<UndoFacts>, Partial<UndoLive>, object]>([
    ['kept although nobody touched it', { choice: 'keep' }, {}, { kind: 'keep', code: 'chosen' }],
    ['archived although nobody touched it', { choice: 'archive' }, {}, { kind: 'archive', reason: null }],
    [
      'deleted anyway',
      { choice: 'delete', chosenAbout: changedTitle },
      touched,
      { kind: 'delete', reason: { code: 'changed' } },
    ],
    [
      'deleted by a choice whose reason has gone',
      { choice: 'delete', chosenAbout: changedTitle },
      {},
      { kind: 'delete', reason: null },
    ],
    [
      'published since its deletion was chosen because of its stock',
      { choice: 'delete', chosenAbout: undoSentence('stock-moved') },
      { publishedAt: '2026-11-21T10:00:00Z' },
      { kind: 'keep', code: 'published' },
    ],
    [
      'archived when unsure, because its deletion was chosen without a reason',
      { choice: 'delete', chosenAbout: null, whenUnsure: 'archive' },
      touched,
      { kind: 'archive', reason: { code: 'changed' } },
    ],
    [
      'archived when unsure',
      { whenUnsure: 'archive' },
      touched,
      { kind: 'archive', reason: { code: 'changed' } },
    ],
    [
      'kept by its own choice',
      { whenUnsure: 'archive', choice: 'keep' },
      touched,
      { kind: 'keep', code: 'changed' },
    ],
    [
      'archived already',
      { whenUnsure: 'archive' },
      { ...touched, status: 'ARCHIVED' },
      { kind: 'archive', variables: null },
    ],
    [
      'changed in another part since its deletion was chosen',
      { choice: 'delete', chosenAbout: changedTitle },
      { ...touched, vendor: 'Other' },
      { kind: 'keep', code: 'changed', parts: ['title', 'vendor'] },
    ],
    [
      'deleted anyway although another import has pushed it, too',
      { choice: 'delete', chosenAbout: undoSentence('also-pushed', march), alsoPushedBy: 'march.csv' },
      {},
      { kind: 'delete', reason: { code: 'also-pushed' } },
    ],
    [
      'changed since its deletion was chosen although another import has pushed it, too',
      { choice: 'delete', chosenAbout: undoSentence('also-pushed', march), alsoPushedBy: 'march.csv' },
      touched,
      { kind: 'keep', code: 'changed', message: expect.stringContaining('march.csv') },
    ],
    [
      'sold since its deletion was chosen although another import has pushed it, too',
      { choice: 'delete', chosenAbout: undoSentence('also-pushed', march), alsoPushedBy: 'march.csv' },
      withVariant({ quantity: 6 }),
      { kind: 'keep', code: 'stock-moved', message: expect.stringContaining('march.csv') },
    ],
    [
      'deleted anyway although it was sold and another import has pushed it, too',
      {
        choice: 'delete',
        chosenAbout: undoSentence('stock-moved', march),
        alsoPushedBy: 'march.csv',
      },
      withVariant({ quantity: 6 }),
      { kind: 'delete', reason: { code: 'stock-moved' } },
    ],
    [
      'pushed by another import since its deletion was chosen because of its stock',
      { choice: 'delete', chosenAbout: undoSentence('stock-moved'), alsoPushedBy: 'march.csv' },
      withVariant({ quantity: 6 }),
      { kind: 'keep', code: 'stock-moved', message: expect.stringContaining('march.csv') },
    ],
    [
      'published, with a message that names the other import',
      { alsoPushedBy: 'march.csv' },
      { publishedAt: '2026-11-21T10:00:00Z' },
      { kind: 'keep', code: 'published', message: expect.stringContaining('march.csv') },
    ],
    [
      'older than the push, so that no choice holds',
      { choice: 'delete', whenUnsure: 'archive' },
      { createdAt: '2026-11-19T10:00:00Z' },
      { kind: 'keep', code: 'older-than-push' },
    ],
    [
      'changed by a later push, so that no choice holds',
      { choice: 'delete', pushedLaterBy: 'march.csv' },
      {},
      { kind: 'keep', code: 'pushed-later', message: expect.stringContaining('march.csv') },
    ],
  ])('can be %s', (_case, facts, live, expected) => {
    expect(decideUndo(createdFacts(facts, live))).toMatchObject(expected);
  });

  test('names what a colleague changed, with our value and the one now', () => {
    const decision = decideUndo(createdFacts({}, withVariant({ price: '1.00' })));
    const ofPrice = {
      part: 'variants',
      name: 'price',
      before: null,
      ours: '24.90',
      now: '1.00',
      reason: 'changed',
    };
    expect(decision).toMatchObject({ kept: [ofPrice] });
  });
});

function withoutWeights(product: LiveProduct): LiveProduct {
  return { ...product, variants: product.variants.map(({ weight: _weight, ...one }) => one) };
}

/** What the store had before the push, and what the push sent. */
const sentBefore: DraftProduct = testDraft({
  title: 'Old lamp',
  tags: 'old, lamp',
  variants: [testVariant({ price: '20.00', sku: 'OLD', inventory_quantity: 3 })],
});
const before = testLive(sentBefore);
const after = testLive(draft, { media: before.media });

const updatedFacts = (live: Partial<UndoLive> = {}, changes: Partial<UndoFacts> = {}): UndoFacts =>
  createdFacts({
    ...{ kind: 'update', before, after, sentBefore, live: undoLive(after, live) },
    ...changes,
  });

describe('a product that the push updated', () => {
  const id = after.id;
  const onlyVariant = { id: variant.id, optionValues: [{ optionName: 'Title', name: 'Default Title' }] };
  const payload = (product: LiveProduct) =>
    expect.arrayContaining([expect.objectContaining({ key: 'payload', value: product.payloadHash })]);
  const all = {
    title: 'Old lamp',
    tags: ['lamp', 'old'],
    productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
    variants: [{ ...onlyVariant, price: '20.00', sku: 'OLD' }],
    metafields: payload(before),
  };

  test('gets its earlier values, and only those that the push changed', () => {
    expect(decideUndo(updatedFacts())).toEqual({
      kind: 'restore',
      handsBack: false,
      recreatesVariants: 0,
      reason: null,
      variables: { identifier: { id }, input: all },
      quantities: [{ inventoryItemId: variant.inventoryItemId, quantity: 3, changeFromQuantity: 7 }],
      metafields: { set: [], remove: [] },
    });
  });

  test('is left alone once it is as before', () => {
    expect(decideUndo(updatedFacts({ ...before }))).toEqual({ kind: 'nothing' });
  });

  test.each<[string, Partial<UndoLive>, object | null, string | null]>([
    ['a title is changed on both sides', { title: 'Other' }, { title: undefined }, 'title'],
    ['a title is restored by somebody', { title: 'Old lamp' }, { title: undefined }, null],
    ['a vendor is changed that the push did not change', { vendor: 'Other' }, { vendor: undefined }, null],
    ['a tag is added', { tags: ['brass', 'lamp', 'own'] }, { tags: ['lamp', 'own', 'old'] }, null],
    ['our tag is removed', { tags: ['lamp'] }, { tags: ['lamp', 'old'] }, null],
    [
      'one field of a variant is changed on both sides',
      withVariant({ price: '1.00' }),
      { variants: [{ ...onlyVariant, sku: 'OLD' }] },
      'variants',
    ],
    [
      'a field of a variant is changed that the push did not change',
      withVariant({ cost: '1.00' }),
      { variants: all.variants },
      null,
    ],
    ['stock was sold', withVariant({ quantity: 5 }), {}, 'quantities'],
    [
      'a metafield is added by another app',
      { metafields: [...after.metafields, custom] },
      { metafields: expect.arrayContaining([expect.objectContaining({ key: 'care', value: 'Dry' })]) },
      null,
    ],
  ])('when %s', (_case, live, input, part) => {
    const decision = decideUndo(updatedFacts(live));
    if (decision.kind !== 'restore') throw new Error(decision.kind);
    expect(decision.variables?.input).toEqual(
      Object.fromEntries(Object.entries({ ...all, ...input }).filter(([, value]) => value !== undefined)),
    );
    expect(decision.reason?.parts ?? []).toEqual(part === null ? [] : [part]);
    expect(decision.quantities).toHaveLength(part === 'quantities' ? 0 : 1);
  });

  test('names the three values of a part that stays', () => {
    const decision = decideUndo(updatedFacts({ title: 'Other' }));
    const title = {
      part: 'title',
      name: '',
      before: 'Old lamp',
      ours: 'Brass lamp',
      now: 'Other',
      reason: 'changed',
    };
    expect(decision).toMatchObject({ reason: { code: 'changed', kept: [title] } });
  });

  test('stays as a whole if all of it was changed since', () => {
    const onlyTitle = {
      sentBefore: { ...draft, title: 'Old lamp' },
      before: { ...after, title: 'Old lamp' },
    };
    const decision = decideUndo(updatedFacts({ title: 'Other' }, onlyTitle));
    expect(decision).toMatchObject({ kind: 'keep', code: 'changed', parts: ['title'] });
  });

  test('is not restored if a later push changed it, or if nobody knows what the push left', () => {
    expect(decideUndo(updatedFacts({}, { pushedLaterBy: 'march.csv' }))).toMatchObject({
      code: 'pushed-later',
    });
    expect(decideUndo(updatedFacts({ title: 'Other' }, { after: null }))).toMatchObject({
      code: 'unverified',
    });
    expect(decideUndo(updatedFacts({}, { before: null }))).toMatchObject({ code: 'not-recorded' });
  });

  test('is restored although another import has pushed it, too: it stays in the store', () => {
    expect(decideUndo(updatedFacts({}, { alsoPushedBy: 'march.csv' }))).toMatchObject({ kind: 'restore' });
  });

  test('is restored without a state after the push if it is as sent', () => {
    expect(decideUndo(updatedFacts({}, { after: null }))).toMatchObject({ kind: 'restore', reason: null });
  });

  test('a state that was read late counts if it is what the push must have led to', () => {
    const changed = { isAfterLate: true, live: undoLive(after, { title: 'Other' }) };
    expect(decideUndo(updatedFacts({}, changed))).toMatchObject({
      kind: 'restore',
      reason: { code: 'changed', parts: ['title'] },
    });
    const theirs = { ...after, title: 'Other' };
    expect(decideUndo(updatedFacts({}, { ...changed, after: theirs }))).toMatchObject({
      kind: 'keep',
      code: 'unverified',
    });
  });

  test('is restored without a state after the push, too, if the push kept what a colleague had changed', () => {
    const theirs = { title: 'Colleague' };
    const facts = { before: { ...before, ...theirs }, after: null };
    const decision = decideUndo(updatedFacts(theirs, { ...facts, keptAfter: { title: 'Old lamp' } }));
    expect(decision).toMatchObject({ kind: 'restore', reason: null });
    expect(decision.kind === 'restore' && decision.variables?.input).not.toHaveProperty('title');
    expect(decideUndo(updatedFacts(theirs, facts))).toMatchObject({ kind: 'keep', code: 'unverified' });
  });

  test('no choice deletes or archives it', () => {
    const facts = updatedFacts({ title: 'Other' }, { choice: 'delete', whenUnsure: 'archive' });
    expect(decideUndo(facts)).toMatchObject({ kind: 'restore', reason: { code: 'changed' } });
  });

  test('a sale between our read and our write is not taken back', () => {
    const sold = { ...after, variants: [{ ...variant, quantity: 2 }] };
    const sameQuantity = testDraft({ variants: [testVariant({ inventory_quantity: 3 })] });
    const decision = decideUndo(updatedFacts({ ...sold }, { after: sold, sentAfter: sameQuantity }));
    expect(decision).toMatchObject({ kind: 'restore', quantities: [] });
  });

  const [image] = before.media;
  const replaced = [{ ...image, id: 'gid://shopify/MediaImage/9' }] as LiveProduct['media'];
  const withImages = (filesInStore?: ReadonlySet<string>) =>
    updatedFacts({ media: replaced }, { after: { ...after, media: replaced }, filesInStore });
  test('a removed image comes back only if the store still has its file', () => {
    expect(decideUndo(withImages())).toEqual({ kind: 'read', by: 'files', ids: [image?.id] });
    expect(decideUndo(withImages(new Set([image?.id ?? ''])))).toMatchObject({
      variables: { input: { files: [{ id: image?.id }] } },
      reason: null,
    });
    const lost = { part: 'images', name: 'image 1', reason: 'cannot-restore' };
    expect(decideUndo(withImages(new Set()))).toMatchObject({
      variables: { input: { files: [] } },
      reason: { code: 'cannot-restore', kept: [lost] },
    });
  });

  test('collections are merged: ours goes, a colleague’s stays', () => {
    const [clearance = '', , smart = ''] = collections.map((one) => one.id);
    const sentAfter = { ...draft, collections: ['Clearance'] };
    const pushed = { ...after, collectionIds: [clearance, smart], payloadHash: payloadHash(sentAfter) };
    const live = { ...pushed, collectionIds: [clearance, smart, staffPicks] };
    expect(decideUndo(updatedFacts(live, { after: pushed, sentAfter }))).toMatchObject({
      variables: { input: { collections: [staffPicks] } },
      reason: null,
    });
  });
});

describe('a product that the push took over', () => {
  const own = testLive(sentBefore, { externalId: null, payloadHash: null, metafields: [custom] });
  const taken = { ...after, metafields: [custom, ...after.metafields] };
  const facts = (live: Partial<UndoLive> = {}) =>
    updatedFacts({ ...taken, ...live }, { before: own, after: taken, sentBefore: null });

  test('is handed back: its values return, our id and metafields go, its quantities stay', () => {
    const decision = decideUndo(facts());
    expect(decision).toMatchObject({ kind: 'restore', handsBack: true, quantities: [], reason: null });
    expect(decision).toMatchObject({
      variables: { identifier: { id: own.id }, input: { title: 'Old lamp' } },
      metafields: { set: [], remove: [{ key: 'external_id' }, { key: 'payload' }, { key: 'import_source' }] },
    });
  });

  test('is handed back, also if somebody removed our id or changed all of it', () => {
    expect(decideUndo(facts({ ...own }))).toMatchObject({
      handsBack: true,
      variables: null,
      metafields: { set: [], remove: [] },
    });
    expect(decideUndo(facts({ title: 'Other' }))).toMatchObject({
      handsBack: true,
      reason: { parts: ['title'] },
    });
  });
});
