import type { IssueCode } from './issues.ts';
import type { Operation } from './operations/operation.ts';
import { storeTextCharsMax } from './store-limits.ts';

/** The operations that end an issue, for one row or for all rows with the issue. */
export type IssueFix = { code: IssueCode; label: string; operations: readonly FixOperation[] };

type FixOperation = Extract<Operation, { kind: 'set' | 'clear' | 'cut' }>;

const shorten = (code: IssueCode, field: 'title' | 'vendor' | 'type' | 'tags', what: string): IssueFix => ({
  code,
  label: `Shorten ${what} to ${storeTextCharsMax} Characters`,
  operations: [{ kind: 'cut', field, chars: storeTextCharsMax }],
});

const clear = (code: IssueCode, field: 'upc' | 'image' | 'compareAtPrice', what: string): IssueFix => ({
  code,
  label: `Clear ${what}`,
  operations: [{ kind: 'clear', field }],
});

/**
 * Fixes of issues with one right answer. The others need a person: the missing digits of a UPC, the pieces in '3 pcs'.
 * SKUs and options are never cut, because two of them may become one.
 */
export const issueFixes: readonly IssueFix[] = [
  shorten('title-too-long', 'title', 'Title'),
  shorten('brand-too-long', 'vendor', 'Brand'),
  shorten('type-too-long', 'type', 'Type'),
  shorten('tag-too-long', 'tags', 'Tags'),
  clear('upc-too-long', 'upc', 'UPC'),
  clear('upc-check-digit', 'upc', 'UPC'),
  clear('upc-digits-lost', 'upc', 'UPC'),
  // Not sent anyway. Without it, a look-up may find one.
  clear('image-invalid', 'image', 'Image'),
  // Such a compare-at price shows no discount.
  clear('compare-at-below-price', 'compareAtPrice', 'Compare-At Price'),
  {
    code: 'quantity-negative',
    label: 'Set Quantity to 0',
    operations: [{ kind: 'set', field: 'quantity', value: '0' }],
  },
];
