import type { Row, RowFacets } from '@draftshelf/contract/review/rows';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { useEffect, useRef } from 'react';
import { useOfferedActions } from '../../../ui/actions/offered-actions.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { useScreenKey } from '../../../ui/hooks/use-screen-key.ts';
import { issueFieldIn } from '../cell-marks.ts';
import { nextKind } from './next-kind.ts';
import type { Direction } from './use-problems.ts';

type KindsProps = {
  /** The issue that the rows are filtered by. */
  issue: string | undefined;
  facets: RowFacets;
  /** The rows of the filter; undefined while they load. */
  rows: readonly Row[] | undefined;
  onIssue: (issue: IssueCode) => void;
};

/** Goes from kind to kind of issue with the keys `i` and Shift `i`, to the wrong cell of the first row with it. */
export function useKinds({ issue, facets, rows, onIssue }: KindsProps): void {
  const toast = useToast();
  /** The kind whose first row is to get the focus, and what has it until then. */
  const sought = useRef<{ kind: IssueCode; focused: Element | null } | null>(null);
  const go = (direction: Direction) => {
    const kind = nextKind(facets.issues, issue, direction);
    if (kind === null) {
      toast({ title: 'No more issues', text: 'Every row that is pushed is without an issue.' });
      return;
    }
    const isShown = kind === issue;
    // Until the rows are there, keys must not go to a row of the kind before.
    if (!isShown) document.getElementById('product-preview')?.focus({ preventScroll: true });
    sought.current = { kind, focused: document.activeElement };
    if (isShown) focusFirst();
    else onIssue(kind);
  };
  const focusFirst = () => {
    if (sought.current === null) return;
    const { kind, focused } = sought.current;
    // The operator has gone elsewhere meanwhile, such as into the search field.
    const isLeft = document.activeElement !== focused;
    if (!isLeft && (kind !== issue || rows === undefined)) return;
    sought.current = null;
    const first = rows?.find(({ ignored }) => ignored === null);
    if (!isLeft && first !== undefined) cellOf(first, kind)?.focus();
  };
  useEffect(focusFirst);
  useScreenKey('i', () => go('next'));
  useOfferedActions([
    { label: 'Next Kind of Issue', key: 'i', reason: null, act: () => go('next') },
    { label: 'Previous Kind of Issue', key: 'I', reason: null, act: () => go('previous') },
  ]);
}

/** The cell of the issue's field, else the row's title. */
function cellOf(row: Row, issue: string): HTMLElement | null {
  const inRow = (selector: string) =>
    document.querySelector<HTMLElement>(`[data-row="${row.row}"] ${selector}`);
  const field = issueFieldIn(row, issue);
  return inRow(`td[data-field="${field}"]`) ?? inRow('td[data-field="title"]') ?? inRow('[data-card]');
}
