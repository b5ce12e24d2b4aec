import type { RowValues } from '@draftshelf/domain/canonical-fields';
import { addsOnlyImage } from '@draftshelf/domain/grouping';
import type { RowIssue } from '@draftshelf/domain/issues';
import { parseMoney } from '@draftshelf/domain/money';
import { classOf, type RowClass, rowClasses } from '@draftshelf/domain/row-rule';

/** The class of a row, and what it lacks for the best one. */
export type RowCheck = { class: RowClass; issues: readonly RowIssue[] };

const prices = ['numeric', 'missing', 'bad'] as const;
type Price = (typeof prices)[number];
const priceIssues: Record<Price, RowIssue[]> = {
  numeric: [],
  missing: ['price-missing'],
  bad: ['price-not-numeric'],
};

/** All checks that there are: with a title, then without one, by price. */
export const rowChecks: readonly RowCheck[] = [true, false].flatMap((hasTitle) =>
  prices.map((price) => ({
    class: classOf(hasTitle, price === 'numeric'),
    issues: [...(hasTitle ? [] : ['title-missing' as const]), ...priceIssues[price]],
  })),
);

export type ProductClasses = {
  /** Takes the values of a product's next row; rows of a product may stand apart. Returns one of `rowChecks`. */
  add(product: number, values: RowValues): RowCheck;
  /** Products by the class of their worst row so far. */
  readonly counts: Readonly<Record<RowClass, number>>;
};

/** What is kept of a product: the class of its worst row plus 1, and what its later rows inherit. */
const classBits = 0b11;
const titleBit = 0b100;
const priceShift = 3;

/**
 * Classifies rows by title and price, with what they inherit from their product's first row, and counts products by
 * class. It keeps a byte per product.
 */
export function productClasses(): ProductClasses {
  const counts: Record<RowClass, number> = { valid: 0, warning: 0, error: 0 };
  let states = new Uint8Array(1024);
  return {
    add(product, values) {
      if (product >= states.length) states = longer(states, product + 1);
      const state = states[product] ?? 0;
      const isFirst = state === 0;
      const own = priceOf(values.price);
      const firstPrice = isFirst ? prices.indexOf(own) : state >> priceShift;
      const price = own === 'missing' && !isFirst && addsOnlyImage(values) ? firstPrice : prices.indexOf(own);
      const hasTitle = (values.title ?? '').trim() !== '' || (state & titleBit) !== 0;
      const check = rowChecks[(hasTitle ? 0 : prices.length) + price] as RowCheck;

      const before = (state & classBits) - 1;
      const worst = Math.max(before, rowClasses.indexOf(check.class));
      if (worst !== before) {
        const old = rowClasses[before];
        if (old) counts[old] -= 1;
        counts[check.class] += 1;
      }
      states[product] = (worst + 1) | (hasTitle ? titleBit : 0) | (firstPrice << priceShift);
      return check;
    },
    counts,
  };
}

function priceOf(text: string | undefined): Price {
  if (text === undefined || text.trim() === '') return 'missing';
  return parseMoney(text) === null ? 'bad' : 'numeric';
}

/** The bytes with room for `length` of them, and for as many again. */
export function longer(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(length, bytes.length * 2));
  copy.set(bytes);
  return copy;
}
