import { findGuardColumn, type GuardIssue, type Guards } from '../products/guards.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';

/** `rows`: number of prices beyond the guard. Null if the list lacks the column to compare with. */
export type GuardFinding = { issue: GuardIssue; limit: string; rows: number | null };

/** Returns the findings of an import's guards. `rowsWith` returns the number of rows with an issue. */
export function listGuardFindings(
  { guardCost, guardColumn, guardChange }: Guards,
  rowsWith: (issue: GuardIssue) => number,
  mapping: HeaderMapping,
): GuardFinding[] {
  const hasPrices = mapping.sources.price !== undefined;
  const found = (issue: GuardIssue, limit: string, isMissing = false): GuardFinding[] => {
    if (isMissing) return hasPrices ? [{ issue, limit, rows: null }] : [];
    const rows = rowsWith(issue);
    return rows > 0 ? [{ issue, limit, rows }] : [];
  };
  return [
    ...(guardCost === null ? [] : found('guard-cost', `cost × ${guardCost}`, !mapping.sources.cost)),
    ...(guardColumn === null
      ? []
      : found('guard-column', `“${guardColumn}”`, findGuardColumn(mapping, guardColumn) < 0)),
    ...(guardChange === null ? [] : found('guard-change', `${guardChange} %`)),
  ];
}

/** Returns 'below cost × 1.3' or 'changed by more than 30 % since the last list'. */
export const guardLimitText = ({ issue, limit }: GuardFinding): string =>
  issue === 'guard-change' ? `changed by more than ${limit} since the last list` : `below ${limit}`;

/** Returns 'prices couldn’t be compared with “MAP”, which isn’t a column of this list.' or similar. */
export const notComparedText = ({ issue, limit }: GuardFinding): string =>
  issue === 'guard-cost'
    ? 'prices couldn’t be compared, because the cost has no column.'
    : `prices couldn’t be compared with ${limit}, which isn’t a column of this list.`;
