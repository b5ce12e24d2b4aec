import { simpleFieldsOf } from '@draftshelf/domain/base/simple-fields';
import type { DraftProduct, DraftVariant } from '@draftshelf/domain/products/draft-product';
import { describe, expect, test } from 'vitest';
import { testDraft, testLive, testVariant } from '../testing/drafts.ts';
import { toCreateInput } from './create-input.ts';
import { readValues, toDraftValues, toReplyShape, toSelection } from './field.ts';
import { productFieldList, type productFields, variantFieldList, type variantFields } from './fields.ts';
import { restoreTexts, restoreVariantFields } from './restore-input.ts';
import { planTakeOver } from './take-over.ts';
import { planUpdate } from './update-input.ts';

/** `set`: what the store takes for it. `reply`: how the store returns it. `empty`: what takes a value away. */
type Row<Draft> = { draft: Partial<Draft>; set: object; reply: object; shown: string; empty?: object };

const productRows: Record<keyof typeof productFields, Row<DraftProduct>> = {
  title: { draft: { title: 'New' }, set: { title: 'New' }, reply: { title: 'New' }, shown: 'New' },
  descriptionHtml: {
    draft: { body_html: '<p>New</p>' },
    set: { descriptionHtml: '<p>New</p>' },
    reply: { descriptionHtml: '<p>New</p>' },
    shown: '<p>New</p>',
  },
  vendor: { draft: { vendor: 'New' }, set: { vendor: 'New' }, reply: { vendor: 'New' }, shown: 'New' },
  productType: {
    draft: { product_type: 'New' },
    set: { productType: 'New' },
    reply: { productType: 'New' },
    shown: 'New',
  },
  status: {
    draft: { status: 'active', published: true },
    set: { status: 'ACTIVE' },
    reply: { status: 'ACTIVE' },
    shown: 'ACTIVE',
  },
  seoTitle: {
    draft: { seo_title: 'New' },
    set: { seo: { title: 'New' } },
    reply: { seo: { title: 'New' } },
    shown: 'New',
  },
  seoDescription: {
    draft: { seo_description: 'New' },
    set: { seo: { description: 'New' } },
    reply: { seo: { description: 'New' } },
    shown: 'New',
  },
  category: {
    draft: { category: { id: 'gid://shopify/TaxonomyCategory/hg-3', name: 'Home & Garden > Decor' } },
    set: { category: 'gid://shopify/TaxonomyCategory/hg-3' },
    reply: { category: { id: 'gid://shopify/TaxonomyCategory/hg-3', fullName: 'Home & Garden > Decor' } },
    shown: 'Home & Garden > Decor',
  },
};

const item = (inventoryItem: object) => ({ inventoryItem });
const pounds = { weight: { value: 2, unit: 'POUNDS' } };
const variantRows: Record<keyof typeof variantFields, Row<DraftVariant>> = {
  price: { draft: { price: '9.5' }, set: { price: '9.5' }, reply: { price: '9.50' }, shown: '9.50' },
  compareAtPrice: {
    draft: { compare_at_price: '30' },
    set: { compareAtPrice: '30' },
    reply: { compareAtPrice: '30.00' },
    shown: '30.00',
    empty: { compareAtPrice: null },
  },
  cost: {
    draft: { cost: '4' },
    set: item({ cost: '4' }),
    reply: item({ unitCost: { amount: '4.00' } }),
    shown: '4.00',
    empty: item({ cost: null }),
  },
  sku: {
    draft: { sku: 'NEW' },
    set: { sku: 'NEW' },
    reply: { sku: 'NEW' },
    shown: 'NEW',
    empty: { sku: '' },
  },
  barcode: {
    draft: { barcode: '9780306406157' },
    set: { barcode: '9780306406157' },
    reply: { barcode: '9780306406157' },
    shown: '9780306406157',
    empty: { barcode: null },
  },
  inventoryPolicy: {
    draft: { inventory_policy: 'continue' },
    set: { inventoryPolicy: 'CONTINUE' },
    reply: { inventoryPolicy: 'CONTINUE' },
    shown: 'yes',
  },
  tracked: {
    draft: { inventory_management: null },
    set: item({ tracked: false }),
    reply: item({ tracked: false }),
    shown: 'no',
  },
  harmonizedSystemCode: {
    draft: { harmonized_system_code: '701342' },
    set: item({ harmonizedSystemCode: '701342' }),
    reply: item({ harmonizedSystemCode: '701342' }),
    shown: '701342',
    empty: item({ harmonizedSystemCode: null }),
  },
  countryCodeOfOrigin: {
    draft: { country_code_of_origin: 'PT' },
    set: item({ countryCodeOfOrigin: 'PT' }),
    reply: item({ countryCodeOfOrigin: 'PT' }),
    shown: 'PT',
    empty: item({ countryCodeOfOrigin: null }),
  },
  weight: {
    draft: { weight: 2, weight_unit: 'lb' },
    set: item({ measurement: pounds }),
    reply: item({ measurement: pounds }),
    shown: '2 pounds',
    empty: item({ measurement: { weight: { value: 0, unit: 'POUNDS' } } }),
  },
};

const options = { externalId: 'id-1', locationId: null, collectionIds: [] };
const inStore = (draft: DraftProduct) => ({ live: testLive(draft), seen: testLive(draft), sent: draft });
const update = (next: DraftProduct, before: DraftProduct) => {
  const found = planUpdate(next, { ...options, ...inStore(before), collections: [] });
  if (found.kind !== 'update') throw new Error(found.kind);
  const { metafields: _, variants = [], ...input } = found.variables.input;
  const [variant] = variants.map(({ id: _id, optionValues: _values, ...fields }) => fields);
  return { input, variant };
};
const sides = (before: DraftProduct, after: DraftProduct) => ({
  ...{ before: testLive(before), after: testLive(after), live: testLive(after) },
  ...{ sentBefore: before, sentAfter: after, collections: [], filesInStore: undefined },
});
const plain = testDraft();

describe.each(Object.entries(productRows))('%s of a product', (key, { draft, set, reply, shown }) => {
  const field = productFieldList.find((one) => one.key === key);
  const next = testDraft(draft);
  test('is created, updated, taken over and restored', () => {
    expect(toCreateInput(next, options).input).toMatchObject(set);
    expect(update(next, plain).input).toEqual(set);
    const taken = planTakeOver({ ...next, status: 'draft' }, { externalId: 'id-1', live: testLive(plain) });
    const input = taken.kind === 'update' ? taken.variables.input : {};
    if (key === 'status') expect(input).not.toHaveProperty(key);
    else expect(input).toMatchObject(set);
    expect(restoreTexts(sides(next, plain)).input).toEqual(set);
  });
  test('is read, shown, and a value of a draft again', () => {
    const read = readValues<Record<string, string>>(productFieldList, { ...testLive(plain), ...reply });
    expect(field?.text(read[key])).toBe(shown);
    expect(toDraftValues(productFieldList, read)).toMatchObject(draft);
  });
});

describe.each(Object.entries(variantRows))('%s of a variant', (key, { draft, set, reply, shown }) => {
  const field = variantFieldList.find((one) => one.key === key);
  const next = testDraft({ variants: [testVariant(draft)] });
  test('is created, updated and restored', () => {
    expect(toCreateInput(next, options).input.variants?.[0]).toMatchObject(set);
    expect(update(next, plain).variant).toEqual(set);
    expect([...restoreVariantFields(sides(next, plain)).set.values()]).toMatchObject([set]);
  });
  test('is read, shown, and a value of a draft again', () => {
    const { live } = inStore(plain);
    const read = readValues<Record<string, unknown>>(
      variantFieldList.filter((one) => one.key === key),
      reply,
    );
    expect(field?.text(read[key])).toBe(shown);
    const again = toDraftValues(variantFieldList, { ...live.variants[0], ...read });
    const said = variantFieldList.find((one) => one.key === key)?.said;
    expect(field?.text(said?.({ ...testVariant(), ...again }))).toBe(shown);
  });
});

const emptied = Object.entries(variantRows).filter(([, { empty }]) => empty !== undefined);
test.each(emptied)('%s of a variant is taken away', (_key, { draft, empty }) => {
  const none = { compare_at_price: null, cost: null, sku: '', barcode: '' };
  const { weight: _, weight_unit: _unit, ...others } = testVariant(draft);
  const { country_code_of_origin: _country, ...more } = others;
  const simple = new Set<string>(simpleFieldsOf('variant').map(([, field]) => field.draft));
  const variant = Object.fromEntries(
    Object.entries(more).filter(([name]) => !simple.has(name)),
  ) as typeof more;
  const taken = Object.fromEntries(Object.entries(none).filter(([name]) => name in draft));
  const next = testDraft({ variants: [{ ...variant, ...taken }] });
  expect(update(next, testDraft({ variants: [testVariant(draft)] })).variant).toEqual(empty);
});

test('places of one object are read together', () => {
  const fields = variantFieldList.filter(({ key }) => ['price', 'cost', 'weight'].includes(key));
  expect(toSelection(fields, ['id', 'inventoryItem.id'])).toBe(
    'id price inventoryItem { id unitCost { amount } measurement { weight { value unit } } }',
  );
  expect(Object.keys(toReplyShape(fields))).toEqual(['price', 'inventoryItem']);
  expect(Object.keys(toReplyShape(fields, 'inventoryItem.'))).toEqual(['unitCost', 'measurement']);
});
