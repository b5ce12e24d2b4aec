import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { planUpdate } from '@draftshelf/shopify/product/update-input';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import { expect, test } from 'vitest';
import { keepSentParts } from './keep-sent-parts.ts';

const barcodes: Record<string, string> = { S: '4006381333931', M: '036000291452', L: '' };
const image = (size: string) => ({ src: `https://images.example/${size}.jpg` });

/** A product with a variant and a picture for each size, by the rules of the push. */
function ofSizes(...sizes: string[]): DraftProduct {
  const upc = sizes.map((size) => barcodes[size] ?? '').find((barcode) => barcode !== '');
  const ours = [['import_source', 'draftshelf'], ...(upc ? [['upc', upc]] : [])] as [string, string][];
  return testDraft({
    options: [{ name: 'Size', values: sizes }],
    variants: sizes.map((option1) =>
      testVariant({ title: option1, option1, sku: `LAMP-${option1}`, barcode: barcodes[option1] ?? '' }),
    ),
    images: sizes.map(image),
    metafields: ours.map(([key, value]) => ({
      ...{ namespace: 'scd', key, value, type: 'single_line_text_field' },
    })),
  });
}
const leftOut = (...sizes: string[]) => ({
  rows: sizes.length,
  images: sizes.map((size) => image(size).src),
});

const sent = ofSizes('S', 'M', 'L');
const keep = (...of: Parameters<typeof keepSentParts>) => keepSentParts(...of)?.draft ?? null;

test('what the store has of left-out rows is no change', () => {
  expect(keep(ofSizes('M', 'L'), leftOut('S'), sent)).toEqual(sent);
  expect(keep(ofSizes('S', 'L'), leftOut('M'), sent)).toEqual(sent);
  expect(keep(ofSizes('S'), leftOut('M', 'L'), sent)).toEqual(sent);
});

test('the other rows change as before, and a new one is added', () => {
  const draft = ofSizes('S', 'L', 'XL');
  const [small] = draft.variants;
  if (small) small.price = '30.00';
  const kept = keep(draft, leftOut('M'), sent);
  expect(kept?.variants.map(({ option1, price }) => `${option1} ${price}`)).toEqual([
    'S 30.00',
    'M 24.90',
    'L 24.90',
    'XL 24.90',
  ]);
  expect(kept?.options).toEqual([{ name: 'Size', values: ['S', 'M', 'L', 'XL'] }]);
  expect(kept?.images).toEqual(['S', 'M', 'L', 'XL'].map(image));
});

test('the update removes no variant of the store, whatever was edited in the left-out rows', () => {
  const draft = { ...ofSizes('S', 'L'), title: 'Tall lamp', options: [{ name: 'Size', values: ['S', 'L'] }] };
  draft.variants = draft.variants.map((variant) => ({ ...variant, price: '30.00' }));
  const kept = keep(draft, leftOut(), sent);
  if (!kept) throw new Error('It is blocked');
  const live = testLive(sent);
  const update = planUpdate(kept, {
    ...{ externalId: 'id-1', sent, live, seen: live, collections: [], locationId: null },
  });
  if (update.kind !== 'update') throw new Error(update.kind);
  const { variants = [] } = update.variables.input;
  expect(variants.map(({ id }) => id)).toEqual(live.variants.map(({ id }) => id));
  expect(variants[1]).not.toHaveProperty('price');
});

test('a variant that another row has under a new option is that one, in its place', () => {
  const draft = ofSizes('S', 'L');
  const [small] = draft.variants;
  if (small) small.option1 = 'Small';
  const kept = keep(draft, leftOut('M'), sent);
  expect(kept?.variants.map(({ option1 }) => option1)).toEqual(['Small', 'M', 'L']);
  // Of two with the same SKU nobody knows which one it was.
  const alike = { ...sent, variants: sent.variants.map((one) => ({ ...one, sku: 'LAMP-S', barcode: '' })) };
  expect(keep(draft, leftOut('M'), alike)?.variants.map(({ option1 }) => option1)).toEqual([
    'S',
    'M',
    'L',
    'Small',
  ]);
});

test('options with other names cannot be in one product with kept variants', () => {
  const two = ofSizes('S', 'L');
  two.options = [
    { name: 'Size', values: ['S', 'L'] },
    { name: 'Color', values: ['Red'] },
  ];
  two.variants = two.variants.map((one) => ({ ...one, option2: 'Red' }));
  for (const left of [leftOut('M'), undefined]) {
    expect(keep(two, left, sent)).toBeNull();
    expect(keep(two, left, ofSizes('S', 'L'))?.options).toEqual(two.options);
  }
  const others = { ...ofSizes('XL'), options: [{ name: 'Color', values: ['XL'] }] };
  expect(keep(others, undefined, sent)).toBeNull();
});

test('kept variants get the new name of an option, and the new order of options', () => {
  const colors = { ...ofSizes('S', 'L'), options: [{ name: 'Color', values: ['S', 'L'] }] };
  expect(keep(colors, leftOut('M'), sent)?.options).toEqual([{ name: 'Color', values: ['S', 'M', 'L'] }]);
  const inOrder = (names: string[], variants: [string, string][]) =>
    testDraft({
      options: names.map((name, at) => ({
        name,
        values: [...new Set(variants.map((one) => one[at] ?? ''))],
      })),
      variants: variants.map(([option1, option2]) => testVariant({ option1, option2, sku: '', barcode: '' })),
    });
  const before = inOrder(
    ['Size', 'Color'],
    [
      ['S', 'Red'],
      ['M', 'Red'],
    ],
  );
  const kept = keep(inOrder(['Color', 'Size'], [['Red', 'S']]), undefined, before);
  expect(kept?.variants.map(({ option1, option2 }) => `${option1} ${option2}`)).toEqual(['Red S', 'Red M']);
});

test('variants that are no longer in the file are kept, as no change', () => {
  const kept = keepSentParts(ofSizes('S', 'L'), undefined, sent);
  expect(kept).toMatchObject({ gone: 1, own: ofSizes('S', 'L') });
  expect(kept?.draft.variants).toEqual(sent.variants);
  expect(keepSentParts(ofSizes('S'), leftOut('M'), sent)?.gone).toBe(1);
  expect(keepSentParts(ofSizes('S'), leftOut('M', 'L'), sent)?.gone).toBe(0);
});

test('nothing is kept of rows that were never sent', () => {
  const draft = ofSizes('S', 'L');
  expect(payloadHash(keep(draft, leftOut('M'), draft) ?? {})).toBe(payloadHash(draft));
});
