import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { toProductFacts } from '@draftshelf/domain/products/silent-fields';
import { type Random, seededRandom } from '@draftshelf/domain/testing/random';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { describe, expect, test } from 'vitest';
import { buildDraft } from './build-draft.ts';
import { mergeOverBase, rebuildDraft } from './draft-source.ts';

const options = { draftMode: true, importSource: 'draftshelf', currency: 'EUR' };
const pictures = { bad: {}, credits: {}, hosts: [] };

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random(1_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** The rows of a product, each with all that the product says. */
function rowsOf(random: Random): RowValues[] {
  const [sizes, colors] = [2 + random(3), 1 + random(3)];
  const hasPictures = random(10) < 7;
  return Array.from({ length: sizes * colors }, (_, at) => ({
    ...{ handle: 'vase', title: 'Vase', vendor: 'Acme', description: 'A vase.', tags: 'glass, blue, table' },
    ...{ sku: `V-${at}`, price: `${10 + at}.00`, quantity: String(at), upc: upcs[at % 3] ?? '' },
    ...{ option1Name: 'Size', option1Value: `S${at % sizes}` },
    ...{ option2Name: 'Color', option2Value: `C${Math.floor(at / sizes)}` },
    ...(hasPictures && { image: `https://images.example/${at % 4}.jpg` }),
  }));
}
const upcs = ['4006381333931', '', '036000291452'];

const built = (rows: readonly RowValues[], leftOut: readonly number[] = []) => {
  const said = toProductFacts(
    Object.keys(rows[0] ?? {}),
    rows.map((values) => ({ values, sources: {} })),
  );
  const draft = buildDraft(rows, options, pictures, leftOut, said);
  if (!draft.ok) throw new Error(draft.reason);
  return { draft, source: { rows: [...rows], options, pictures, leftOut: [...leftOut], said } };
};

const tagsIn = (tags: string) => tags.split(', ').toSorted();

describe('rows of a product in another order', () => {
  test('are no change, nor are tags in another order', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 300; round += 1) {
      const rows = rowsOf(random);
      const sent = built(rows).draft.product;
      const tags = shuffled(['glass', 'blue', 'table'], random).join(' ; ');
      const next = built(shuffled(rows, random).map((row) => ({ ...row, tags })));
      const draft = mergeOverBase(next.draft, sent)?.draft;
      expect(draft, `round ${round}`).toEqual(sent);
      // The draft of the write before is built again from its own rows.
      expect(payloadHash(rebuildDraft(sent, next.source))).toBe(payloadHash(sent));
    }
  });

  test('change what they change, and what is new comes last', () => {
    const random = seededRandom(11);
    const rows = rowsOf(random);
    const sent = built(rows).draft.product;
    const more = { ...rows[0], sku: 'V-new', option1Value: 'XXL', price: '99.00', tags: 'new, table, glass' };
    const next = shuffled(rows, random).map((row) => ({ ...row, tags: 'new, table, glass' }));
    const draft = mergeOverBase(built([more, ...next]).draft, sent)?.draft;
    expect(draft?.variants.map(({ sku }) => sku)).toEqual([...sent.variants.map(({ sku }) => sku), 'V-new']);
    expect(draft?.options?.[0]?.values).toEqual([...(sent.options?.[0]?.values ?? []), 'XXL']);
    expect(draft?.tags).toBe('glass, table, new');
    expect(tagsIn(sent.tags)).toEqual(['blue', 'glass', 'table']);
  });

  test('are needed for another order of pictures to be none', () => {
    const [one, two] = ['https://images.example/1.jpg', 'https://images.example/2.jpg'];
    const row = { title: 'Vase', sku: 'V', price: '1', image: one, moreImages: two };
    const sent = built([row]).draft.product;
    const turned = built([{ ...row, image: two, moreImages: one }]).draft;
    expect(mergeOverBase(turned, sent)?.draft.images.map(({ src }) => src)).toEqual([two, one]);
  });
});
