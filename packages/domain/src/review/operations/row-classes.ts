import type { CanonicalField, RowValues } from '../../base/canonical-fields.ts';
import { parseMoney } from '../../base/money.ts';
import { keepCompareAtPieceCount } from '../../products/compare-at.ts';
import { issuesIn } from '../issue-set.ts';
import type { RowIssue } from '../issues.ts';
import type { RowClass } from '../row-rule.ts';
import { createProductValidator, type FileRules } from '../validate-row.ts';
import type { CellChange } from './apply-operations.ts';

export type ClassChange = {
  row: number;
  before: RowClass;
  after: RowClass;
  /** Whether the row's price is below its cost after the changes, but was not before. */
  fallsBelowCost: boolean;
  hasPriceAndCost: boolean;
  gained: RowIssue[];
};

/** Returns the classes of a product's rows before and after changes. `rows`: without ignored rows, in file order. */
export function compareClasses(
  rows: readonly (ChangedRow & { row: number })[],
  changes: readonly CellChange[],
  rules: FileRules,
): ClassChange[] {
  const ofRow = Map.groupBy(changes, ({ row }) => row);
  const [before, after] = [createProductValidator(rules), createProductValidator(rules)];
  return rows.map(({ row, ...one }) => {
    const old = before(one.values);
    const values = applyValueChanges(one, ofRow.get(row) ?? []);
    const changed = after(values);
    const had = issuesIn(old.issues);
    const gained = issuesIn(changed.issues).filter((code) => !had.includes(code));
    const fallsBelowCost = gained.includes('cost-above-price');
    const hasPriceAndCost = changed.price !== null && parseMoney(values.cost ?? '') !== null;
    return { row, before: old.class, after: changed.class, fallsBelowCost, hasPriceAndCost, gained };
  });
}

/** `sources`: the sources of values that do not come from the row's own column. */
type ChangedRow = { values: RowValues; sources: Partial<Record<CanonicalField, 'edit' | 'found'>> };

export function applyValueChanges(
  { values, sources }: ChangedRow,
  changes: readonly CellChange[],
): RowValues {
  const changed = { ...values };
  for (const { field, after } of changes) {
    if (field === 'leaveOut') continue;
    if (after) changed[field as CanonicalField] = after;
    else delete changed[field as CanonicalField];
  }
  const isEdited = (name: CanonicalField) =>
    sources[name] === 'edit' || changes.some(({ field }) => field === name);
  return keepCompareAtPieceCount(values, changed, isEdited);
}
