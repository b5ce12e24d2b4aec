import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { DraftOptions, DraftProduct } from '@draftshelf/domain/products/draft-product';
import { type Random, seededRandom } from '@draftshelf/domain/testing/random';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { testLive } from '@draftshelf/shopify/testing/drafts';
import { expect, test } from 'vitest';
import { buildDraft } from './build-draft.ts';
import { decideProduct } from './decide-product.ts';
import type { ProductFacts } from './decision.ts';
import { type DraftSource, mergeOverBase, rebuildDraft } from './draft-source.ts';

const options: DraftOptions = { draftMode: true, importSource: 'draftshelf', currency: 'CAD' };
const rows = [{ title: 'Lamp', price: '10', quantity: '5', description: 'A lamp', collections: 'Lamps' }];

function draftOf(changes: object = {}) {
  const built = buildDraft([{ ...rows[0], ...changes }], options);
  if (!built.ok) throw new Error(built.reason);
  return built.product;
}

test('what another version sent is compared as this version would have sent it', () => {
  const sent = { ...draftOf(), product_type: 'Another default', body_html: '<p>A lamp</p>', metafields: [] };
  expect(rebuildDraft(sent, { rows, options })).toEqual(draftOf());
  expect(rebuildDraft(sent, { rows, options: { ...options, draftMode: false } }).status).toBe('active');
});

test('a description that is cleaned otherwise since it was sent is no change', () => {
  const description = '<p data-mce-fragment="1" id="care">A lamp</p>';
  const today = draftOf({ description });
  expect(today.body_html).toBe('<p>A lamp</p>');
  const source = { rows: [{ ...rows[0], description }], options };
  expect(rebuildDraft({ ...today, body_html: description }, source)).toEqual(today);
});

test('a weight that the former version did not send is no change', () => {
  const values = [{ ...rows[0], weight: '2.5', weightUnit: 'kg' }];
  const today = draftOf(values[0]);
  expect(today.variants).toMatchObject([{ weight: 2.5, weight_unit: 'kg' }]);
  expect(rebuildDraft(draftOf(), { rows: values, options })).toEqual(today);
});

test('quantities and collections are those that were really sent', () => {
  const sent = draftOf({ quantity: '2', collections: '' });
  const today = rebuildDraft(sent, { rows, options });
  expect(today.variants[0]?.inventory_quantity).toBe(2);
  expect(today.collections).toBeUndefined();
});

test('without its values, or with other variants, it is compared as it was sent', () => {
  const sent = draftOf({ title: 'Other' });
  expect(rebuildDraft(sent, null)).toBe(sent);
  expect(rebuildDraft(sent, { rows: [{ title: 'Lamp' }], options })).toBe(sent);
});

test('pictures are left out and credited as they were', () => {
  const [good, dead] = ['https://a.example/1.png', 'https://a.example/2.png'];
  const withPictures = [{ ...rows[0], image: `${good} ${dead}` }];
  const pictures = { bad: { [dead]: 'Not found' }, credits: { [good]: 'A. Photographer' }, hosts: [] };
  const built = buildDraft(withPictures, options, pictures);
  if (!built.ok) throw new Error(built.reason);
  const stored = JSON.parse(JSON.stringify({ rows: withPictures, options, pictures }));
  expect(rebuildDraft(built.product, stored)).toEqual(built.product);
  expect(built.product.images).toHaveLength(1);
});

const noPictures = { bad: {}, credits: {}, hosts: [] };
const columns = ['title', 'price', 'quantity', 'sku', 'upc', 'tags', 'compareAtPrice', 'image'] as const;
const listColumns = ['price', 'quantity', 'compareAtPrice', 'cost'] as const;

const sourceOf = (rows: RowValues[], mapped: readonly string[], isPartial: boolean): DraftSource => ({
  rows,
  options: { ...options, ...(isPartial ? { isPartial } : {}) },
  pictures: noPictures,
  said: {
    takenBack: (['tags', 'compareAtPrice', 'image'] as const).filter((field) => mapped.includes(field)),
    cleared: {},
  },
});

function builtOf({ rows, options, pictures, leftOut, said }: DraftSource) {
  const built = buildDraft(rows, options, pictures, leftOut, said);
  if (!built.ok) throw new Error(built.reason);
  return built;
}

/** What a push of these rows would make of a product that was sent. */
const next = (source: DraftSource, sent: DraftProduct, before: DraftSource): DraftProduct => {
  const kept = mergeOverBase(builtOf(source), rebuildDraft(sent, before));
  if (!kept) throw new Error('No variant is known');
  return kept.draft;
};

const gtins = ['4006381333931', '036000291452', '5901234123457', '9780201379624'];

function randomProduct(roll: Random): RowValues[] {
  const count = 1 + roll(4);
  return Array.from({ length: count }, (_, at) => ({
    ...(at === 0 ? { title: 'Lamp', tags: 'a, b', vendor: 'Acme', image: 'https://a.example/1.png' } : {}),
    ...(count > 1 ? { option1Name: 'Size', option1Value: `S${at}` } : {}),
    ...(roll(4) === 0 ? {} : { sku: `lamp-${at}` }),
    upc: gtins[at] ?? '',
    price: `${10 + roll(5)}.00`,
    quantity: String(roll(9)),
    ...(roll(2) === 0 ? { compareAtPrice: '99.00' } : {}),
    ...(roll(2) === 0 ? { weight: '2 kg' } : {}),
  }));
}

/** Some variants of a product, shuffled, in a list of prices and stock. */
function randomList(full: readonly RowValues[], roll: Random) {
  const fields = listColumns.filter(() => roll(2) === 0);
  const named = full.filter((_, at) => at === 0 || roll(3) > 0).toSorted(() => roll(3) - 1);
  const rows = named.map(({ sku, upc = '' }): RowValues => {
    const key = sku && roll(2) === 0 ? { sku: sku.toUpperCase() } : { upc };
    const values = fields.filter(() => roll(4) > 0).map((field) => [field, String(20 + roll(5))]);
    return { ...key, ...Object.fromEntries(values) };
  });
  return { rows, fields, named };
}

const leaves = {
  price: 'price',
  quantity: 'inventory_quantity',
  compareAtPrice: 'compare_at_price',
  cost: 'cost',
} as const;

test('a list of prices and stock changes what it names, twice changes nothing, and a full list changes it back', () => {
  let changed = 0;
  for (let seed = 1; seed <= 500; seed += 1) {
    const roll = seededRandom(seed);
    const full = randomProduct(roll);
    const fullSource = sourceOf(full, columns, false);
    const sent = builtOf(fullSource).product;
    const { rows, fields, named } = randomList(full, roll);
    const source = sourceOf(rows, fields, true);
    const updated = next(source, sent, fullSource);
    const variants = sent.variants.map((variant, at) => {
      const row = rows[named.indexOf(full[at] as RowValues)];
      const values: Record<string, string | number | null> = {};
      for (const field of row === undefined ? [] : fields) {
        const value = row?.[field];
        if (value !== undefined) values[leaves[field]] = field === 'quantity' ? Number(value) : value;
        else if (field === 'compareAtPrice') values[leaves[field]] = null;
      }
      return { ...variant, ...values };
    });
    expect({ seed, ...updated }).toEqual({ seed, ...sent, variants });
    expect(rebuildDraft(updated, source)).toEqual(updated);
    expect(payloadHash(next(source, updated, source))).toBe(payloadHash(updated));
    const back = next(fullSource, updated, source);
    const lasting = {
      ...sent,
      variants: sent.variants.map((one, at) => ({ ...one, cost: updated.variants[at]?.cost })),
    };
    // The full list has no costs, and is silent about compare-at prices of others than its own.
    expect({ seed, ...back }).toEqual({ seed, ...lasting });
    if (payloadHash(updated) !== payloadHash(sent)) changed += 1;
  }
  expect(changed).toBeGreaterThan(300);
});

const lamp = [
  { title: 'Lamp', sku: 'A-1', price: '10', option1Name: 'Size', option1Value: 'S' },
  { sku: 'A-2', price: '11', option1Name: 'Size', option1Value: 'M' },
];
const lampSource = sourceOf(lamp, columns, false);
const sentLamp = builtOf(lampSource).product;
const id = 'gid://shopify/Product/1';
const listed = {
  pushed: {
    ...{ storeProductId: id, sent: sentLamp, sentHash: payloadHash(sentLamp), rebuiltDraft: sentLamp },
    ...{ baseline: testLive(sentLamp), kept: null },
  },
  sending: null,
};

const facts = (rows: RowValues[], changes: Partial<ProductFacts> = {}): ProductFacts => ({
  ...{ ourId: 'id-1', built: builtOf(sourceOf(rows, ['sku', 'price'], true)), listing: listed },
  ...{ idInStore: undefined, live: testLive(sentLamp), stamp: undefined, match: null, choices: new Map() },
  ...{ sendNonOverlapping: false, store: { locationId: 'gid://shopify/Location/1', collections: [] } },
  ...changes,
});
const newPrices = [
  { sku: 'a-2', price: '12' },
  { sku: 'A-9', price: '13' },
];

test('an update sends the named price of the named variant, and names variants that the store lacks', () => {
  const decision = decideProduct(facts(newPrices));
  expect(decision).toMatchObject({ kind: 'update', notSent: ['A-9 (not in the store)'], gone: 0 });
  const { variables } = decision as Extract<typeof decision, { kind: 'update' }>;
  const { variants, metafields, productOptions, ...others } = variables.input;
  expect(others).toEqual({});
  expect(variants?.map(({ optionValues: _, id: __, ...values }) => values)).toEqual([{}, { price: '12' }]);
});

test('variants that a list does not name are not called gone', () => {
  const decision = decideProduct(facts([{ sku: 'A-2', price: '11' }]));
  expect(decision).toMatchObject({ kind: 'read', by: 'stamp' });
  const unchanged = decideProduct(
    facts([{ sku: 'A-2', price: '11' }], { stamp: testLive(sentLamp).updatedAt }),
  );
  expect(unchanged).toMatchObject({ kind: 'unchanged', message: null });
});

test.each<[string, Partial<ProductFacts>, RowValues[], string]>([
  ['never pushed', { listing: null }, newPrices, 'not-in-store'],
  ['never pushed, and matched', { listing: null, idInStore: id }, newPrices, 'not-in-store'],
  ['with other variants', {}, [{ sku: 'A-9', price: '13' }], 'not-in-store'],
  ['deleted', { live: null }, newPrices, 'deleted-in-store'],
  [
    'deleted, and to be created again',
    {
      live: null,
      choices: new Map([['deleted-in-store', { choice: 'create', basis: id }]]) as ProductFacts['choices'],
    },
    newPrices,
    'deleted-in-store',
  ],
])('creates nothing of a product that is %s', (_what, changes, rows, code) => {
  expect(decideProduct(facts(rows, changes))).toMatchObject({ kind: 'skip', code });
});

test('a price that is no amount is refused', () => {
  const { rows, options, said } = sourceOf([{ sku: 'A-1', price: 'ask' }], ['sku', 'price'], true);
  expect(buildDraft(rows, options, noPictures, [], said)).toMatchObject({ ok: false, missing: ['price'] });
});
