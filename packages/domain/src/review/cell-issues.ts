import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { formulaIssue } from '../base/formula.ts';
import { codeFields, isMadeDate } from '../base/made-date.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';
import { trimmedCell } from '../reading/row-values.ts';
import { type IssueSet, issueSet } from './issue-set.ts';
import type { CellIssue, RowIssue } from './issues.ts';

/**
 * What is wrong with the cells of a record although they can be read: formulas without a value, and codes that became
 * dates. A quantity that its formula does not give is no number either. `values`: what holds after edits; where a value
 * took the place of the cell's, nothing is wrong any more.
 */
export function cellIssues(
  cellOf: (column: number) => string | undefined,
  { sources, dateColumns }: HeaderMapping,
  values?: RowValues,
): IssueSet {
  let found: RowIssue[] | undefined;
  for (const name in sources) {
    const field = name as CanonicalField;
    let issue: CellIssue | null = null;
    for (const column of sources[field] ?? []) {
      const cell = trimmedCell(cellOf(column));
      if (cell === '') continue;
      const ofFormula = formulaIssue(cell);
      if (ofFormula !== null) {
        if (values?.[field] === undefined) issue ??= ofFormula;
        continue;
      }
      const isMade = codeFields.includes(field) && !dateColumns?.includes(column) && isMadeDate(cell);
      issue = isMade && (values === undefined || values[field] === cell) ? 'made-a-date' : null;
      break;
    }
    if (issue === null) continue;
    found = [...(found ?? []), issue];
    if (field === 'quantity') found.push('quantity-not-numeric');
  }
  return found === undefined ? 0 : issueSet(found);
}
