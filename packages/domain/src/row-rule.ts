import { parseMoney } from './money.ts';

/** Best first. */
export const rowClasses = ['valid', 'warning', 'error'] as const;
export type RowClass = (typeof rowClasses)[number];

/**
 * The specification's row rule (S299): valid with a title and a numeric price, warning with one of them, else
 * error. A price that is not numeric counts as absent (decision D3).
 */
export function classifyRow(title: string | undefined, price: string | undefined): RowClass {
  return classOf((title ?? '').trim() !== '', parseMoney(price ?? '') !== null);
}

/** The same rule, where title and price have been looked at already. */
export function classOf(hasTitle: boolean, hasPrice: boolean): RowClass {
  if (hasTitle && hasPrice) return 'valid';
  return hasTitle || hasPrice ? 'warning' : 'error';
}

/** The worse of two classes: a product is judged by its worst row (decision P7). */
export function worstClass(a: RowClass, b: RowClass): RowClass {
  return rowClasses.indexOf(a) >= rowClasses.indexOf(b) ? a : b;
}
