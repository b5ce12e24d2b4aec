import type { Row, RowFacets } from '@draftshelf/contract/review/rows';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { useRef } from 'react';
import { useOfferedActions } from '../../../ui/actions.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { useScreenKey } from '../../../ui/keys.ts';
import { issueFieldIn } from '../cell-marks.ts';
import { useLeavingOut } from '../product/product-buttons.tsx';
import { nextKind } from './issue-groups.ts';
import { type Direction, rowOfElement, useArrival } from './use-problems.ts';

type KindsProps = {
  issue: string | undefined;
  facets: RowFacets;
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  onIssue: (issue: IssueCode) => void;
};

/** Keys `i` and Shift `i`: to the wrong cell of the first row with the next kind of issue. */
export function useKinds({ issue, facets, rows, onIssue }: KindsProps): void {
  const toast = useToast();
  const focusFirst = useArrival<IssueCode>(
    (kind) => kind === issue && rows !== undefined,
    (kind) => {
      const first = rows?.find(({ ignored }) => ignored === null);
      if (first !== undefined) cellOf(first, kind)?.focus();
    },
  );
  const go = (direction: Direction) => {
    const kind = nextKind(facets.issues, issue, direction);
    if (kind === null) {
      toast({
        title: 'No more issues',
        text: 'Every row that is pushed is without an issue.',
        tone: 'neutral',
      });
      return;
    }
    const isCurrent = kind === issue;
    // Until the rows are there, keys must not go to a row of the kind before.
    if (!isCurrent) document.getElementById('product-preview')?.focus({ preventScroll: true });
    focusFirst(kind);
    if (!isCurrent) onIssue(kind);
  };
  useScreenKey('i', () => go('next'));
  useOfferedActions([
    { label: 'Next Kind of Issue', key: 'i', reason: null, act: () => go('next') },
    { label: 'Previous Kind of Issue', key: 'I', reason: null, act: () => go('previous') },
  ]);
}

function cellOf(row: Row, issue: string): HTMLElement | null {
  const inRow = (selector: string) =>
    document.querySelector<HTMLElement>(`[data-row="${row.row}"] ${selector}`);
  const field = issueFieldIn(row, issue);
  return inRow(`td[data-field="${field}"]`) ?? inRow('td[data-field="title"]') ?? inRow('[data-card]');
}

type LeaveOutProps = {
  importId: string;
  rows: readonly Row[];
  lock: string | null;
  isEdited: (row: Row) => boolean;
  onSaved: (saved: Row) => void;
};

export function useLeaveOut({ importId, rows, lock, isEdited, onSaved }: LeaveOutProps): void {
  const { change } = useLeavingOut(importId);
  const toast = useToast();
  /** The operator may go on with the next row meanwhile. */
  const saving = useRef(new Set<number>());
  const leaveOut = async (focused: Element | null) => {
    if (lock !== null) return;
    const row = rows.find(({ row }) => row === rowOfElement(focused));
    if (row === undefined) {
      toast({ title: 'No row has the focus', text: 'Go to a cell first, and press Home.', tone: 'neutral' });
      return;
    }
    if (row.ignored !== null || isEdited(row) || saving.current.has(row.row)) return;
    saving.current.add(row.row);
    const saved = await change(row);
    saving.current.delete(row.row);
    if (saved !== null) onSaved(saved);
  };
  useScreenKey('x', ({ target }) => void leaveOut(target instanceof Element ? target : null));
  useOfferedActions([
    {
      label: 'Leave Out the Row, or Put It Back',
      key: 'x',
      reason: lock,
      // The focus is again where it was before the palette was opened.
      act: () => void leaveOut(document.activeElement),
    },
  ]);
}
