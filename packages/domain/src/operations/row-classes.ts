import type { CanonicalField, RowValues } from '../canonical-fields.ts';
import { type IssueSet, issuesIn } from '../issue-set.ts';
import type { RowClass } from '../row-rule.ts';
import { type FileRules, productValidator } from '../validate-row.ts';
import type { CellChange } from './apply-operations.ts';

export type ClassChange = {
  row: number;
  before: RowClass;
  after: RowClass;
  /** Its price was not below its cost, and is now. */
  fallsBelowCost: boolean;
};

const isBelowCost = ({ issues }: { issues: IssueSet }) => issuesIn(issues).includes('cost-above-price');

/**
 * The classes of a product's rows before and after changes. `rows`: all rows of the product that are not ignored, in
 * file order, with their effective values.
 */
export function classesWith(
  rows: readonly { row: number; values: RowValues }[],
  changes: readonly CellChange[],
  rules: FileRules,
): ClassChange[] {
  const ofRow = Map.groupBy(changes, ({ row }) => row);
  const [before, after] = [productValidator(rules), productValidator(rules)];
  return rows.map(({ row, values }) => {
    const old = before.next(values);
    const changed = after.next(changedValues(values, ofRow.get(row) ?? []));
    const fallsBelowCost = isBelowCost(changed) && !isBelowCost(old);
    return { row, before: old.class, after: changed.class, fallsBelowCost };
  });
}

/** The effective values of a row after changes of its cells. */
export function changedValues(values: RowValues, changes: readonly CellChange[]): RowValues {
  const changed = { ...values };
  for (const { field, after } of changes) {
    if (field === 'leaveOut') continue;
    if (after) changed[field as CanonicalField] = after;
    else delete changed[field as CanonicalField];
  }
  return changed;
}
