import type { Row } from '@draftshelf/contract/review/rows';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useTableFits } from '../../../ui/table/record-list.tsx';
import { problemField } from '../cell-marks.ts';
import type { EditTarget } from './use-problems.ts';

/** The state of a link that leads to the rows that need the operator on the page that is shown already. */
export const toFirstProblem = { toFirstProblem: true } as const;

/** The state of a link that fixes rows: it also opens the first row on a phone. */
export const toFixing = { ...toFirstProblem, toFixing: true } as const;

/** The width of the table of rows, in rem. Cards have no cell to begin with: a phone would open its keyboard. */
export const tableRem = 44;

type FirstProblemProps = {
  isFirst: boolean;
  isLocked: boolean;
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  onFix: (target: EditTarget) => void;
};

/**
 * Focuses the first wrong cell when the page opens on rows that need the operator or a link leads to them, unless the
 * operator has moved the focus. Cards are only opened by a link to fix them.
 */
export function useFirstProblem({ isFirst, isLocked, rows, onFix }: FirstProblemProps): void {
  const { key, state } = useLocation();
  const isTable = useTableFits(tableRem);
  const [firstKey] = useState(key);
  const link = state as Partial<typeof toFixing> | null;
  const isLink = link?.toFirstProblem === true;
  // Back and Forward return to an address, but call for nothing.
  const isCalled = useNavigationType() !== 'POP' && isLink;
  /** Filters and pages change the address too, without a visit of their own. */
  const visit = isCalled ? key : firstKey;
  const settledVisits = useRef(new Set<string>());
  const find = useEffectEvent((visitedRows: readonly Row[], ofVisit: string) => {
    if (settledVisits.current.has(ofVisit)) return;
    settledVisits.current.add(ofVisit);
    const first = visitedRows.find((row) => row.ignored === null && problemField(row) !== null);
    const field = first === undefined ? null : problemField(first);
    if (!isFirst || first === undefined || field === null) return;
    if (!isTable && isCalled && link?.toFixing) onFix({ row: first.row, field });
    if (isTable && (isCalled || isFocusFree())) cellOf(first.row, field)?.focus();
  });
  useEffect(() => {
    if (rows !== undefined && !isLocked) find(rows, visit);
  }, [rows, isLocked, visit]);
}

function cellOf(row: number, field: InlineField): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row="${row}"] td[data-field="${field}"]`);
}

function isFocusFree(): boolean {
  const focused = document.activeElement;
  if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return false;
  return focused === null || focused === document.body || focused.matches('h1, main');
}
