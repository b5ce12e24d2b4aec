import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { expect, test } from 'vitest';
import {
  applyDraft,
  candidateColumns,
  groupEditorFields,
  listSuggestedColumns,
  mapField,
  resetAllColumns,
  resetColumn,
  unmapField,
} from './mapping-draft.ts';

const column = (header: string, field: string | null, more: Partial<MappedColumn> = {}): MappedColumn => ({
  ...{ header, field, confidence: field === null ? 0 : 1, reason: '', setBy: null, rememberedFrom: null },
  ...{ samples: [], alternatives: [], profile: null },
  ...more,
});
const columns = [
  column('Name', 'title'),
  column('Price', 'price'),
  column('Dealer', null, { alternatives: [{ field: 'price', confidence: 0.6 }] }),
  column('MSRP', 'compareAtPrice', { alternatives: [{ field: 'price', confidence: 0.8 }] }),
  column('Code', 'sku', { setBy: 'operator' }),
  column('Extra', null, { setBy: 'memory', rememberedFrom: 'may.csv' }),
];
const fieldsOf = (draft: ReturnType<typeof mapField>) =>
  Object.fromEntries(applyDraft(columns, draft).map(({ header, field }) => [header, field]));

test('a field that is given to a column leaves its other column open', () => {
  const draft = mapField(columns, {}, 'price', 'Dealer');
  expect(draft).toEqual({ Dealer: 'price' });
  const [, price, dealer] = applyDraft(columns, draft);
  expect(price).toMatchObject({ field: null, isOpen: true, isChanged: false });
  expect(dealer).toMatchObject({ field: 'price', isOpen: false, isChanged: true });
  expect(mapField(columns, draft, 'price', 'MSRP')).toEqual({ MSRP: 'price' });
});

test('a column that was set loses its field only by a change', () => {
  expect(mapField(columns, {}, 'sku', 'Dealer')).toEqual({ Code: 'detect', Dealer: 'sku' });
});

test('a field that is given to no column is taken from all of its columns', () => {
  expect(mapField(columns, {}, 'title', null)).toEqual({ Name: null });
  expect(unmapField(columns, {}, 'Price')).toEqual({ Price: null });
  expect(unmapField(columns, {}, 'Extra')).toEqual({});
});

test('further images keep their columns when one is added', () => {
  const draft = mapField(columns, { Dealer: 'moreImages' }, 'moreImages', 'MSRP');
  expect(fieldsOf(draft)).toMatchObject({ Dealer: 'moreImages', MSRP: 'moreImages' });
});

test('a detected field can be confirmed, and what was set before is no change', () => {
  expect(mapField(columns, {}, 'title', 'Name')).toEqual({ Name: 'title' });
  expect(mapField(columns, { Code: 'detect' }, 'sku', 'Code')).toEqual({});
});

test('changes are undone one by one, and all at once what was set', () => {
  expect(resetColumn(columns, { Dealer: 'price' }, 'Dealer')).toEqual({});
  expect(resetColumn(columns, {}, 'Code')).toEqual({ Code: 'detect' });
  expect(resetAllColumns(columns)).toEqual({ Code: 'detect', Extra: 'detect' });
});

test('fields are grouped as required, matched and not used', () => {
  expect(groupEditorFields(columns, applyDraft(columns, {}), ['weight'])).toEqual({
    required: ['title', 'price'],
    matched: ['sku', 'compareAtPrice'],
    unused: ['upc', 'description', 'vendor', 'quantity', 'type', 'weight'],
  });
});

test('a field stays in its group while the draft changes', () => {
  const draft = { ...mapField(columns, {}, 'tags', 'Extra'), ...unmapField(columns, {}, 'Code') };
  const { matched, unused } = groupEditorFields(columns, applyDraft(columns, draft), []);
  expect(matched).toEqual(['sku', 'compareAtPrice']);
  expect(unused).toEqual(['upc', 'description', 'vendor', 'quantity', 'type', 'tags']);
});

test('columns that may hold a field are suggested, best first', () => {
  const suggested = listSuggestedColumns(applyDraft(columns, {}), 'price');
  expect(suggested.map(({ header }) => header)).toEqual(['MSRP', 'Dealer']);
});

test('a price without a column can be read from other prices, its own alternatives first', () => {
  const priced = [
    column('Supply', 'cost'),
    column('Retail', 'compareAtPrice'),
    column('Dealer', null, { alternatives: [{ field: 'price', confidence: 0.6 }] }),
    column('About', 'description'),
  ];
  const candidates = (field: 'price' | 'title') =>
    candidateColumns(applyDraft(priced, {}), field).map(({ header }) => header);
  expect(candidates('price')).toEqual(['Dealer', 'Retail', 'Supply']);
  expect(candidates('title')).toEqual(['About']);
});
