import type { GroupedRow } from '@draftshelf/domain/products/grouping';
import { type RowClass, worstClass } from '@draftshelf/domain/review/row-rule';

export type ClassCounter = {
  /** Takes the class of the next row and its place in a product. */
  add(group: GroupedRow, rowClass: RowClass): void;
  /** Ends the last product. */
  end(): void;
  /** Products so far. */
  readonly products: number;
  /** Products by class, without the last product until `end`. */
  readonly classes: Readonly<Record<RowClass, number>>;
};

/** Counts products by class, row by row. A product has the class of its worst row. */
export function classCounter(): ClassCounter {
  const classes: Record<RowClass, number> = { valid: 0, warning: 0, error: 0 };
  let products = 0;
  let worst: RowClass | null = null;
  const end = () => {
    if (worst !== null) classes[worst] += 1;
    worst = null;
  };
  return {
    add({ startsProduct }, rowClass) {
      if (startsProduct) {
        end();
        products += 1;
      }
      worst = worst === null ? rowClass : worstClass(worst, rowClass);
    },
    end,
    get products() {
      return products;
    },
    classes,
  };
}
