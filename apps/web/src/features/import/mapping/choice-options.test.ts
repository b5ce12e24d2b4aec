import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { expect, test } from 'vitest';
import { type ChoiceTarget, createChoiceGroups, filterGroups } from './choice-options.ts';

const column = (header: string, field: string | null, more: Partial<MappedColumn> = {}): MappedColumn => ({
  ...{ header, field, confidence: field === null ? 0 : 1, reason: '', setBy: null, rememberedFrom: null },
  ...{ samples: [], alternatives: [], profile: null },
  ...more,
});
const columns = [
  column('Name', 'title'),
  column('RRP', 'compareAtPrice', {
    samples: ['12.00', '15.00'],
    alternatives: [{ field: 'price', confidence: 0.7 }],
  }),
  column('Code', 'sku', { setBy: 'operator' }),
  column('Colour', null, { samples: ['red'] }),
];
const optionsOf = (target: ChoiceTarget) =>
  Object.fromEntries(
    createChoiceGroups(columns, target).map(({ label, options }) => [
      label,
      options.map((option) => option.label),
    ]),
  );
const optionOf = (target: ChoiceTarget, key: string) =>
  createChoiceGroups(columns, target)
    .flatMap(({ options }) => options)
    .find((option) => option.key === key);

test('a column can be read as its own field, a likely one, any other one, or none', () => {
  const { Likely, Fields, ...others } = optionsOf({ header: 'RRP' });
  expect(Likely).toEqual(['Compare-at price', 'Price']);
  expect(Fields?.slice(0, 3)).toEqual(['Title', 'SKU', 'UPC']);
  expect(Fields).toHaveLength(35);
  expect(others).toEqual({ None: ['Not used'] });
});

test('choosing a field makes the draft that the mapping editor makes', () => {
  expect(optionOf({ header: 'RRP' }, 'compareAtPrice')?.draft).toBeNull();
  expect(optionOf({ header: 'RRP' }, 'price')?.draft).toEqual({ RRP: 'price' });
  expect(optionOf({ header: 'RRP' }, 'title')).toMatchObject({ note: 'now Name', draft: { RRP: 'title' } });
  // The column that the operator had set is matched again.
  expect(optionOf({ header: 'RRP' }, 'sku')?.draft).toEqual({ RRP: 'sku', Code: 'detect' });
  expect(optionOf({ header: 'RRP' }, 'none')?.draft).toEqual({ RRP: null });
  expect(optionOf({ header: 'Colour' }, 'none')?.draft).toBeNull();
});

test('what was set can be detected again', () => {
  expect(optionsOf({ header: 'Code' }).None).toEqual(['Not used', 'Detect again']);
  expect(optionOf({ header: 'Code' }, 'detect')?.draft).toEqual({ Code: 'detect' });
  expect(optionOf({ field: 'sku' }, 'detect')?.draft).toEqual({ Code: 'detect' });
});

test('a required field without a column has the likely columns first, with samples', () => {
  expect(optionsOf({ field: 'price' })).toEqual({ Likely: ['RRP'], Columns: ['Name', 'Code', 'Colour'] });
  expect(optionOf({ field: 'price' }, 'column RRP')).toMatchObject({
    note: '12.00 · 15.00 · now Compare-at price',
    draft: { RRP: 'price' },
  });
});

test('a field with a column can have another one, or none', () => {
  expect(optionsOf({ field: 'title' })).toEqual({
    Likely: ['Name'],
    None: ['No column'],
    Columns: ['RRP', 'Code', 'Colour'],
  });
  expect(optionOf({ field: 'title' }, 'column Name')?.draft).toBeNull();
  expect(optionOf({ field: 'title' }, 'none')?.draft).toEqual({ Name: null });
});

test('a column that is gone has no options', () => {
  expect(createChoiceGroups(columns, { header: 'Gone' })).toEqual([]);
});

test('the search finds labels and samples, at most 100 options', () => {
  const found = filterGroups(createChoiceGroups(columns, { field: 'price' }), ' RED ');
  expect(found).toMatchObject([{ label: 'Columns', options: [{ label: 'Colour' }] }]);
  const many = Array.from({ length: 300 }, (_, at) => column(`Column ${at}`, null));
  expect(
    filterGroups(createChoiceGroups(many, { field: 'price' }), '').flatMap((group) => group.options),
  ).toHaveLength(100);
  expect(
    filterGroups(createChoiceGroups(many, { field: 'price' }), '299').flatMap((group) => group.options),
  ).toHaveLength(1);
});
