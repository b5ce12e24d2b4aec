import { expect, test } from 'vitest';
import { conflictWords, findValuesToEdit, rebaseOntoConflict, toRowDraft, toRowRequest } from './row-edit.ts';

const before = { title: 'Lamp', price: '10', sku: 'A-1' };

test('an edit sends only what changed, with the values that were before', () => {
  const draft = toRowDraft(before);
  expect(toRowRequest({ draft, before })).toBeNull();
  expect(toRowRequest({ draft: { ...draft, price: ' 12 ' }, before })).toEqual({
    values: { price: '12' },
    expected: { price: '10' },
  });
  expect(toRowRequest({ draft: { ...draft, title: '', vendor: 'Oak' }, before })).toEqual({
    values: { title: '', vendor: 'Oak' },
    expected: { title: 'Lamp', vendor: null },
  });
});

test('an edit that met other values says them, and replaces them when it is saved again', () => {
  const edit = { draft: { ...toRowDraft(before), title: 'Lantern', price: '12' }, before };
  const current = { price: '11', title: null };
  expect(conflictWords(current)).toBe(
    'Title was emptied, and Price was changed to “11” meanwhile. Save again to replace that change, or cancel to keep it.',
  );
  expect(toRowRequest(rebaseOntoConflict(edit, current))).toEqual({
    values: { title: 'Lantern', price: '12' },
    expected: { title: null, price: '11' },
  });
  // Until it is saved or discarded, wherever its row is before.
  expect(rebaseOntoConflict(edit, current).conflict).toEqual(current);
});

test('a further row of a product is edited with the product fields of the first row', () => {
  const first = { title: 'Lamp', vendor: 'Oak', price: '10', upc: '1' };
  expect(findValuesToEdit({ price: '12', title: 'Lamp M' }, first)).toEqual({
    title: 'Lamp',
    vendor: 'Oak',
    price: '12',
  });
  expect(findValuesToEdit(first, first)).toEqual(first);
});
