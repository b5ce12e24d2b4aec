import { expect, it } from 'vitest';
import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { applyValueChanges } from '../review/operations/row-classes.ts';
import { compareAtPriceOf, keepCompareAtPieceCount } from './compare-at.ts';
import { explainUnsentAmounts } from './draft-product.ts';

/** A manifest line: 8 pieces of 129 each, and the price of all of them. */
const line: RowValues = { price: '129', quantity: '8', compareAtPrice: '$1,032.00' };

function edited(read: RowValues, edits: RowValues): RowValues {
  const values = keepCompareAtPieceCount(read, { ...read, ...edits }, (field) => field in edits);
  expect(compareAtPriceOf(values, values.price ?? '') === null).toBe(
    explainUnsentAmounts(values).compareAtPrice !== undefined,
  );
  return values;
}

it.each<[RowValues, string | null]>([
  [{ price: '135' }, null],
  [{ quantity: '6' }, null],
  [{ price: '135', quantity: '6', title: 'Rug' }, null],
  [{ price: '135', compareAtPrice: '149' }, '149'],
  // Also by the operator's own values, it is the price of all pieces.
  [{ price: '135', compareAtPrice: '1080' }, null],
])('the price of all pieces stays that, unless it is itself edited: %j', (edits, sent) => {
  expect(compareAtPriceOf(edited(line, edits), edits.price ?? '129')).toBe(sent);
});

it('says how many pieces the file has', () => {
  expect(explainUnsentAmounts(edited(line, { price: '135', quantity: '6' }))).toEqual({
    compareAtPrice: 'Not sent: this is the price of all 8 pieces.',
  });
});

it('the price of one piece stays that, whatever the new quantity', () => {
  const of = { price: '10', quantity: '1', compareAtPrice: '20' };
  expect(compareAtPriceOf(edited(of, { quantity: '2' }), '10')).toBe('20');
});

it('is judged by the values again when nothing else is edited any more', () => {
  const before = edited(line, { price: '135' });
  expect(keepCompareAtPieceCount(line, { ...before, price: '129' }, () => false)).toEqual(line);
});

it('commands keep it too, one after the other', () => {
  const change = (field: CanonicalField, after: string) => ({
    row: 2,
    field,
    before: line[field] ?? null,
    after,
  });
  const once = applyValueChanges({ values: line, sources: {} }, [change('price', '135')]);
  const twice = applyValueChanges({ values: once, sources: { price: 'edit' } }, [change('quantity', '6')]);
  expect(twice).toEqual({ ...line, price: '135', quantity: '6', compareAtPieces: '8' });
  const sources = { price: 'edit', quantity: 'edit' } as const;
  const own = applyValueChanges({ values: twice, sources }, [change('compareAtPrice', '149')]);
  expect(own).toEqual({ price: '135', quantity: '6', compareAtPrice: '149' });
});
