import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import {
  type GroupedRow,
  groupingOf,
  type Inheritance,
  inherit,
  mayBeParent,
} from '@draftshelf/domain/products/grouping';
import { hasOptionValue } from '@draftshelf/domain/products/variant-options';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { type IssueSet, issuesIn } from '@draftshelf/domain/review/issue-set';
import type { RowIssue } from '@draftshelf/domain/review/issues';
import { type RowClass, rowClasses } from '@draftshelf/domain/review/row-rule';
import { isTooLong, storeTextCharsMax } from '@draftshelf/domain/review/store-limits';
import { checkRow, rulesOf } from '@draftshelf/domain/review/validate-row';

/** The result of the check of a row. Rows of a file with equal results share one object. */
export type RowCheck = {
  class: RowClass;
  issues: readonly RowIssue[];
  /** The number of the result among all results of the file, from 0. */
  number: number;
};

export type ClassCounter = {
  /** Adds the next row of a product, even if it is not adjacent to the one before. `ofCells`: issues of its cells. */
  add(product: number, values: RowValues, group: GroupedRow, ofCells: IssueSet): RowCheck;
  /** Number of products by the class of their worst row so far. */
  readonly counts: Readonly<Record<RowClass, number>>;
  /** Number of products whose only defect is a missing price in a first row that is only a parent. */
  readonly parents: number;
};

const noValues: RowValues = {};

/** The lowest bits of a product's byte: the class of the product's worst row, plus 1. */
const classBits = 0b11;
const titleShift = 2;
const priceShift = 4;
const parentShift = 6;

/** States of a first row that lacks only a price: its variants may still follow (1), or have followed (2). */
const mayBeParentOf = 1;
const isParentOf = 2;

/** Stand-ins for inherited values: absent, valid and invalid. The rule checks them like values from the file. */
const titles = [undefined, 'T', 'T'.repeat(storeTextCharsMax + 1)];
const prices = [undefined, '1', '?'];

const inheritanceIn = (state: number): Inheritance => ({
  title: titles[(state >> titleShift) & 0b11],
  price: prices[(state >> priceShift) & 0b11],
  currencies: undefined,
  options: undefined,
});

const titleKind = (title: string | undefined): number => (title === undefined ? 0 : isTooLong(title) ? 2 : 1);

/** Inherits the values in the product's byte, but currency and options only from adjacent rows. */
function inheritedFrom(state: number, values: RowValues, { currency, option1Value }: RowValues): RowValues {
  return {
    ...inherit(values, inheritanceIn(state)),
    ...(currency !== undefined && { currency }),
    ...(option1Value !== undefined && { option1Value }),
  };
}

/** Counts products by class, in one byte per product of several rows. `isPartial`: a list of prices and stock. */
export function createClassCounter(mapping: HeaderMapping, isPartial: boolean): ClassCounter {
  const rules = { currency: null, ...rulesOf(mapping), isPartial };
  const counts: Record<RowClass, number> = { valid: 0, warning: 0, error: 0 };
  const checkOf = sharedChecks();
  if (groupingOf(mapping).kind === 'none') {
    return {
      add(_product, values, _group, ofCells) {
        const checked = checkRow(values, noValues, rules);
        counts[checked.class] += 1;
        return checkOf(checked.class, checked.issues + ofCells);
      },
      counts,
      parents: 0,
    };
  }
  let states = new Uint8Array(1024);
  /** The product that the current adjacent rows began, or 0 if that product already had earlier rows. */
  let begun = 0;
  let parents = 0;
  return {
    get parents() {
      return parents;
    },
    add(product, values, { startsProduct, inherited: fromAdjacent }, ofCells) {
      if (product >= states.length) states = longer(states, product + 1);
      const state = states[product] ?? 0;
      if (startsProduct) begun = state === 0 ? product : 0;
      const isAdjacent = product === begun || state === 0;
      const inherited = isAdjacent ? fromAdjacent : inheritedFrom(state, values, fromAdjacent);
      const checked = checkRow(values, inherited, rules);

      const before = (state & classBits) - 1;
      const worst = Math.max(before, rowClasses.indexOf(checked.class));
      if (worst !== before) {
        const old = rowClasses[before];
        if (old) counts[old] -= 1;
        counts[checked.class] += 1;
      }
      const ownPrice = checked.amount !== null ? 1 : values.price === undefined ? 0 : 2;
      const firstPrice = state === 0 ? ownPrice : (state >> priceShift) & 0b11;
      const firstTitle = (state >> titleShift) & 0b11 || titleKind(values.title);
      const wasParent = state >> parentShift;
      const parent =
        state === 0 ? parentAtFirst(values, checked.class) : parentAfter(wasParent, values, checked.class);
      parents += Number(parent === isParentOf) - Number(wasParent === isParentOf);
      states[product] =
        (worst + 1) | (firstTitle << titleShift) | (firstPrice << priceShift) | (parent << parentShift);
      return checkOf(checked.class, checked.issues + ofCells);
    },
    counts,
  };
}

const parentAtFirst = (values: RowValues, rowClass: RowClass): number =>
  rowClass === 'warning' && values.title !== undefined && mayBeParent(values, noValues) ? mayBeParentOf : 0;

/** Returns a first row's state after a further row, which must be a valid variant for the first to be a parent. */
function parentAfter(before: number, values: RowValues, rowClass: RowClass): number {
  const isVariant = hasOptionValue(values) || values.parentSku !== undefined;
  return before !== 0 && rowClass === 'valid' && isVariant ? isParentOf : 0;
}

/** Returns a function that reuses one object for equal issues. Values are trimmed, so the issues imply the class. */
function sharedChecks(): (rowClass: RowClass, issues: IssueSet) => RowCheck {
  const checks = new Map<IssueSet, RowCheck>();
  return (rowClass, issues) => {
    const check = checks.get(issues) ?? { class: rowClass, issues: issuesIn(issues), number: checks.size };
    checks.set(issues, check);
    return check;
  };
}

function longer(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(length, bytes.length * 2));
  copy.set(bytes);
  return copy;
}
