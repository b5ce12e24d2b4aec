import type { IssueCode } from './issues.ts';
import type { Operation } from './operations/operation.ts';
import { storeTextCharsMax } from './store-limits.ts';

/** Operations that fix an issue, in one row or in all rows with the issue. */
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
 * Fixes of issues that have one right answer. Other issues need a person, such as the missing digits of a UPC. SKUs
 * and options are never cut, because two cut values could be equal.
 */
export const issueFixes: readonly IssueFix[] = [
  shorten('title-too-long', 'title', 'Title'),
  shorten('brand-too-long', 'vendor', 'Brand'),
  shorten('type-too-long', 'type', 'Type'),
  shorten('tag-too-long', 'tags', 'Tags'),
  clear('upc-too-long', 'upc', 'UPC'),
  clear('upc-check-digit', 'upc', 'UPC'),
  clear('upc-digits-lost', 'upc', 'UPC'),
  // An invalid image is never sent. Without the image, a look-up may find another one.
  clear('image-invalid', 'image', 'Image'),
  // A compare-at price below the price shows no discount.
  clear('compare-at-below-price', 'compareAtPrice', 'Compare-At Price'),
  {
    code: 'quantity-negative',
    label: 'Set Quantity to 0',
    operations: [{ kind: 'set', field: 'quantity', value: '0' }],
  },
];
