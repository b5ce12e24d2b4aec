import { metafieldName } from '@draftshelf/domain/base/metafields';
import { describe, expect, test } from 'vitest';
import type { ProductSetInput } from '../documents.ts';
import { payloadHash } from '../payload-hash.ts';
import { testDraft, testLive, testVariant } from '../testing/drafts.ts';
import type { LiveProduct } from './live-product.ts';
import { planUpdate } from './update-input.ts';

type Draft = ReturnType<typeof testDraft>;

function update(next: Draft, sent: Draft, live: LiveProduct = testLive(sent), seen = testLive(sent)) {
  return planUpdate(next, {
    externalId: 'id-1',
    sent,
    live,
    seen,
    canRename: true,
    ...store,
  });
}

function inputOf(next: Draft, sent: Draft, live?: LiveProduct): ProductSetInput {
  const result = update(next, sent, live);
  if (result.kind !== 'update') throw new Error(`expected an update, got ${result.kind}`);
  return result.variables.input;
}

const store = {
  locationId: 'gid://shopify/Location/1',
  collections: [
    { id: 'gid://shopify/Collection/1', title: 'Lamps', smart: false },
    { id: 'gid://shopify/Collection/2', title: 'Sale', smart: false },
    { id: 'gid://shopify/Collection/3', title: 'New', smart: true },
  ],
};

test('an unchanged draft sends nothing', () => {
  expect(update(testDraft(), testDraft())).toEqual({ kind: 'unchanged' });
});

test('a weight is sent when it changes, and as 0 when it is gone', () => {
  const plain = testDraft();
  const weighed = (weight: number) => testDraft({ variants: [testVariant({ weight, weight_unit: 'kg' })] });
  const itemOf = (next: Draft, sent: Draft) => inputOf(next, sent).variants?.[0]?.inventoryItem;
  expect(itemOf(weighed(2), plain)).toEqual({ measurement: { weight: { value: 2, unit: 'KILOGRAMS' } } });
  expect(itemOf(weighed(3), weighed(2))).toEqual({
    measurement: { weight: { value: 3, unit: 'KILOGRAMS' } },
  });
  expect(itemOf(plain, weighed(2))).toEqual({ measurement: { weight: { value: 0, unit: 'KILOGRAMS' } } });
  expect(update(weighed(2), weighed(2))).toEqual({ kind: 'unchanged' });
  const priced = testDraft({ variants: [testVariant({ weight: 2, weight_unit: 'kg', price: '1' })] });
  expect(itemOf(priced, weighed(2))).toBeUndefined();
});

test('a barcode that changes replaces ours, and all others stay', () => {
  const sent = testDraft();
  const ours = sent.variants[0]?.barcode ?? '';
  const [ean, isbn] = [
    { type: 'EAN', value: '5901234123457' },
    { type: null, value: '9780306406157' },
  ];
  const liveWith = (...barcodes: { type: string | null; value: string }[]) => {
    const live = testLive(sent);
    return { ...live, variants: live.variants.map((one) => ({ ...one, barcodes })) };
  };
  const barcodesOf = (barcode: string, live: LiveProduct) =>
    inputOf(testDraft({ variants: [testVariant({ barcode })] }), sent, live).variants?.[0];
  const live = liveWith({ type: 'UPC', value: ours }, ean, isbn);
  expect(barcodesOf('9780262033848', live)?.barcodes).toEqual([
    { type: null, value: '9780262033848' },
    ...[ean, isbn],
  ]);
  expect(barcodesOf('9780262033848', live)).not.toHaveProperty('barcode');
  expect(barcodesOf(isbn.value, live)?.barcodes).toEqual([isbn, ean]);
  expect(barcodesOf('', live)?.barcodes).toEqual([ean, isbn]);
  expect(barcodesOf('9780262033848', liveWith(ean, isbn))?.barcodes).toHaveLength(3);
});

describe('a changed quantity', () => {
  const sent = testDraft();
  const next = testDraft({ variants: [testVariant({ inventory_quantity: 9 })] });
  const liveWith = (quantity: number | null) => {
    const live = testLive(sent);
    return { ...live, variants: live.variants.map((one) => ({ ...one, quantity })) };
  };

  test('is set from the quantity that was last seen, and recorded in the product', () => {
    expect(update(next, sent)).toMatchObject({
      kind: 'update',
      quantities: [{ inventoryItemId: 'gid://shopify/InventoryItem/1', quantity: 9, changeFromQuantity: 7 }],
      draft: next,
      notSent: [],
    });
    expect(Object.keys(inputOf(next, sent))).toEqual(['metafields']);
  });

  test('is not sent over a change in the store, and named', () => {
    const reason = 'quantity of LAMP-1 (changed in the store from 7 to 5)';
    expect(update(next, sent, liveWith(5))).toEqual({ kind: 'not-sent', notSent: [reason], areSold: true });
    const also = testDraft({ ...next, title: 'Other' });
    expect(update(also, sent, liveWith(5))).toMatchObject({
      kind: 'update',
      quantities: [],
      notSent: [reason],
      draft: { title: 'Other', variants: [{ inventory_quantity: 7 }] },
    });
  });

  test('is not sent when the same number comes again, and is when another one comes', () => {
    const renamed = testDraft({ ...next, title: 'Other' });
    const refused = update(renamed, sent, liveWith(5));
    const before = refused.kind === 'update' ? refused.draft : sent;
    const live = { ...liveWith(5), title: 'Other' };
    const reason = 'quantity of LAMP-1 (changed in the store from 7 to 5)';
    const soldBefore = { kind: 'not-sent', notSent: [reason], areSold: true };
    expect(update(renamed, before, live, live)).toEqual(soldBefore);
    const recounted = testDraft({ ...renamed, variants: [testVariant({ inventory_quantity: 8 })] });
    expect(update(recounted, before, live, live)).toMatchObject({
      quantities: [{ quantity: 8 }],
      notSent: [],
    });
  });

  test('that the store already has is only recorded', () => {
    expect(update(next, sent, liveWith(9))).toMatchObject({ kind: 'update', quantities: [], notSent: [] });
  });

  test('is set where the variant was never stocked', () => {
    expect(update(next, sent, liveWith(null), liveWith(null))).toMatchObject({
      quantities: [{ quantity: 9, changeFromQuantity: 0 }],
      draft: next,
      notSent: [],
    });
  });

  test('is not set where somebody has taken the variant out, also if it was first seen so', () => {
    const taken = liveWith(null);
    const variants = taken.variants.map((one) => ({ ...one, isTakenOut: true as const }));
    expect(update(next, sent, { ...taken, variants }, { ...taken, variants })).toEqual({
      kind: 'not-sent',
      notSent: ['quantity of LAMP-1 (not stocked at the store’s location)'],
    });
  });

  test('of a variant behind those that were read is named, and does not count as sent', () => {
    const live = testLive(sent);
    const cut = { ...live, variants: [], complete: { ...live.complete, variants: false } };
    const reason = 'quantity of LAMP-1 (variant not read)';
    expect(update(next, sent, cut)).toEqual({ kind: 'not-sent', notSent: [reason] });
  });

  test('is named when the store cannot take it', () => {
    const untracked = (one: Draft) =>
      testDraft({ variants: one.variants.map((variant) => ({ ...variant, inventory_management: null })) });
    expect(update(untracked(next), untracked(sent))).toEqual({
      kind: 'not-sent',
      notSent: ['quantity of LAMP-1 (quantities aren’t tracked)'],
    });
    expect(update(next, sent, liveWith(null), liveWith(7))).toEqual({
      kind: 'not-sent',
      notSent: ['quantity of LAMP-1 (not stocked at the store’s location)'],
    });
  });
});

describe('changed collections', () => {
  const sent = testDraft({ collections: ['Lamps'] });
  const live = (...numbers: number[]) =>
    testLive(sent, { collectionIds: numbers.map((n) => `gid://shopify/Collection/${n}`) });

  test('are merged with those that merchants added, without smart ones', () => {
    const next = testDraft({ collections: ['Sale'] });
    expect(inputOf(next, sent, live(1, 3)).collections).toEqual(['gid://shopify/Collection/2']);
    const more = testDraft({ collections: ['Lamps', 'Sale'] });
    expect(inputOf(more, testDraft(), live(2)).collections).toEqual([
      'gid://shopify/Collection/2',
      'gid://shopify/Collection/1',
    ]);
    expect(inputOf(testDraft(), sent, live(1, 2)).collections).toEqual(['gid://shopify/Collection/2']);
  });

  test('that the store has not, or that fill themselves, are named', () => {
    expect(update(testDraft({ collections: ['Lamps', 'Chairs', 'New'] }), sent, live(1))).toEqual({
      kind: 'not-sent',
      notSent: ['collection “Chairs” (not in the store)', 'collection “New” (it fills itself by rules)'],
    });
  });

  test('are not sent while the product’s collections are not all known', () => {
    expect(update(testDraft({ collections: ['Sale'] }), sent, live(1, 9))).toMatchObject({
      kind: 'not-sent',
    });
  });
});

test('only the changed field is sent, with all our metafields', () => {
  const input = inputOf(testDraft({ title: 'Brass lamp, large' }), testDraft());
  expect(Object.keys(input).sort()).toEqual(['metafields', 'title']);
  expect(input.metafields?.map((one) => one.key)).toEqual(['external_id', 'payload', 'import_source']);
  expect(input.metafields?.[0]).not.toHaveProperty('type');
});

test('a new price is sent with the variant id and nothing else of the variant', () => {
  const input = inputOf(testDraft({ variants: [testVariant({ price: '19.00' })] }), testDraft());
  expect(input.variants).toEqual([
    {
      id: 'gid://shopify/ProductVariant/1',
      optionValues: [{ optionName: 'Title', name: 'Default Title' }],
      price: '19.00',
    },
  ]);
  expect(input.productOptions).toEqual([{ name: 'Title', values: [{ name: 'Default Title' }] }]);
});

describe('lists are merged with what the store has', () => {
  test('tags: the merchant’s are kept, ours that we dropped are removed', () => {
    const live = testLive(testDraft(), { tags: ['brass', 'lamp', 'Bestseller'] });
    const input = inputOf(testDraft({ tags: 'brass, light' }), testDraft(), live);
    expect(input.tags).toEqual(['brass', 'Bestseller', 'light']);
  });

  const sizes = (...names: string[]) =>
    testDraft({
      options: [{ name: 'Size', values: names }],
      variants: names.map((name) => testVariant({ option1: name, sku: name })),
    });

  test('variants: a new one follows the one before it, and the merchant’s are kept', () => {
    const merchants = testLive(sizes('S', 'M', 'XL'));
    const input = inputOf(sizes('S', 'L', 'M'), sizes('S', 'M'), merchants);
    expect(input.variants?.map((one) => [one.optionValues[0]?.name, one.id])).toEqual([
      ['S', 'gid://shopify/ProductVariant/1'],
      ['L', undefined],
      ['M', 'gid://shopify/ProductVariant/2'],
      ['XL', 'gid://shopify/ProductVariant/3'],
    ]);
    expect(input.productOptions?.[0]?.values.map((one) => one.name)).toEqual(['S', 'L', 'M', 'XL']);
  });

  const renamed = (draft: Draft, from: string, to: string) => ({
    ...draft,
    variants: draft.variants.map((one) => (one.option1 === from ? { ...one, option1: to } : one)),
  });
  const idsOf = (input: ProductSetInput) =>
    input.variants?.map((one) => `${one.id?.split('/').at(-1)} ${one.optionValues[0]?.name}`);

  test('variants: a renamed value, and one whose case changed, are the same variant, without a quantity', () => {
    const next = renamed(renamed(sizes('S', 'M'), 'S', 'Small'), 'M', 'm');
    const input = inputOf(next, sizes('S', 'M'), testLive(sizes('S', 'M', 'XL')));
    expect(idsOf(input)).toEqual(['1 Small', '2 m', '3 XL']);
    expect(JSON.stringify(input.variants)).not.toContain('quantit');
  });

  test('variants: a renamed option applies to all', () => {
    const next = { ...sizes('S', 'M'), options: [{ name: 'Width', values: ['S', 'M'] }] };
    const input = inputOf(next, sizes('S', 'M'), testLive(sizes('S', 'M', 'XL')));
    expect(idsOf(input)).toEqual(['1 S', '2 M', '3 XL']);
    expect(input.productOptions).toMatchObject([{ name: 'Width', values: { length: 3 } }]);
  });

  test('variants: what a colleague renamed keeps its name, and gets our price', () => {
    const live = testLive(renamed(sizes('S', 'M'), 'S', 'Petite'));
    const next = sizes('S', 'M');
    next.variants = next.variants.map((one) => ({ ...one, price: '30' }));
    const input = inputOf(next, sizes('S', 'M'), live);
    expect(idsOf(input)).toEqual(['1 Petite', '2 M']);
    expect(input.variants).toMatchObject([{ price: '30' }, { price: '30' }]);
  });

  test('variants: of two rows of one variant the first is sent, and the other is named', () => {
    const next = sizes('S', 's', 'M');
    next.title = 'New';
    expect(update(next, sizes('S', 'M'), testLive(sizes('S', 'M')))).toMatchObject({
      ...{ kind: 'update', notSent: ['variant s (another row is the same variant)'] },
      draft: { title: 'New', variants: { length: 2 } },
    });
  });

  test('variants are not renamed where it is not known that they keep their stock', () => {
    const sent = sizes('S', 'M');
    const at = { externalId: 'id-1', sent, live: testLive(sent), seen: testLive(sent), ...store };
    const result = planUpdate(renamed(sent, 'S', 'Small'), at);
    expect(result).toMatchObject({ kind: 'blocked', isRename: true });
    expect(result.kind === 'blocked' && result.reason).toContain('(S → Small)');
  });

  test('variants with other options than ours are not changed', () => {
    const live = testLive(sizes('S', 'M'));
    live.variants = live.variants.map((one) => ({ ...one, id: `${one.id}0` }));
    expect(update(testDraft({ variants: [testVariant({ price: '1.00' })] }), testDraft(), live).kind).toBe(
      'blocked',
    );
  });

  test('existing images are sent by id, a new one by its URL', () => {
    const sent = testDraft({ images: [{ src: 'https://a.example/1' }, { src: 'https://a.example/2' }] });
    const next = testDraft({ images: [{ src: 'https://a.example/2' }, { src: 'https://a.example/3' }] });
    expect(inputOf(next, sent).files).toEqual([
      { id: 'gid://shopify/MediaImage/2' },
      { originalSource: 'https://a.example/3', contentType: 'IMAGE' },
    ]);
  });

  test('images: if their number in the store changed, all are kept and only new ones added', () => {
    const live = testLive(testDraft(), {
      media: testLive(testDraft({ images: [{ src: 'a' }, { src: 'b' }] })).media,
    });
    const next = testDraft({
      images: [{ src: 'https://images.example/lamp.jpg' }, { src: 'https://a.example/new' }],
    });
    expect(inputOf(next, testDraft(), live).files).toEqual([
      { id: 'gid://shopify/MediaImage/1' },
      { id: 'gid://shopify/MediaImage/2' },
      { originalSource: 'https://a.example/new', contentType: 'IMAGE' },
    ]);
  });

  const rating = { namespace: 'reviews', key: 'rating', type: 'rating', value: '{"value":"4.8"}' };
  const withMetafield = (metafield: typeof rating): LiveProduct => {
    const live = testLive(testDraft());
    return { ...live, metafields: [...live.metafields, metafield] };
  };

  test('metafields of others are sent along', () => {
    const input = inputOf(testDraft({ title: 'New' }), testDraft(), withMetafield(rating));
    expect(input.metafields).toContainEqual(rating);
  });

  test('only our metafields are written, by themselves, beside those that only another app may write', () => {
    const ofApp = withMetafield({ ...rating, namespace: 'app--123--reviews' });
    const names = ofApp.metafields.map(metafieldName);
    const live = { ...ofApp, digests: Object.fromEntries(names.map((name) => [name, `was ${name}`])) };
    const care = { namespace: 'custom', key: 'care', value: 'Cold', type: 'single_line_text_field' };
    const [source] = testDraft().metafields;
    const next = testDraft({ title: 'New', metafields: [care] });
    expect(inputOf(next, testDraft(), live)).toEqual({ title: 'New' });
    const hash = { namespace: 'scd', key: 'payload', type: 'single_line_text_field' };
    const written = update(next, testDraft(), live);
    expect(written).toMatchObject({
      metafields: {
        set: [
          { ...care, compareDigest: null },
          { ...hash, value: payloadHash(next), compareDigest: 'was scd.payload' },
        ],
        remove: [{ namespace: source?.namespace, key: source?.key }],
      },
    });
    const theirs = { ...live, metafields: [...live.metafields, { ...care, value: 'Theirs' }] };
    expect(update(next, testDraft(), theirs)).toMatchObject({
      notSent: ['metafield custom.care (changed in the store, which keeps its value)'],
      metafields: { set: [{ key: 'payload' }] },
    });
  });

  test('a list that was not read completely is not written', () => {
    const live = testLive(testDraft(), {
      complete: { variants: false, media: false, metafields: false, collections: false },
    });
    expect(update(testDraft({ variants: [testVariant({ price: '1.00' })] }), testDraft(), live).kind).toBe(
      'blocked',
    );
    expect(update(testDraft({ images: [] }), testDraft(), live).kind).toBe('blocked');
    expect(inputOf(testDraft({ title: 'New' }), testDraft(), live)).toEqual({ title: 'New' });
  });
});
