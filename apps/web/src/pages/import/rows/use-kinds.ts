import type { Row, RowFacets } from '@draftshelf/contract/rows';
import type { IssueCode } from '@draftshelf/domain/issues';
import { useEffect, useRef } from 'react';
import { useToast } from '../../../components/feedback/toast.tsx';
import { useOfferedActions } from '../../../components/palette/offered-actions.ts';
import { useScreenKey } from '../../../lib/use-screen-key.ts';
import { issueFieldIn } from './cell-marks.ts';
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
  const sought = useRef<IssueCode | null>(null);
  const go = (direction: Direction) => {
    const kind = nextKind(facets.issues, issue, direction);
    if (kind === null) {
      toast({ title: 'No more issues', text: 'Every row that is pushed is without an issue.' });
      return;
    }
    sought.current = kind;
    if (kind === issue) return focusFirst();
    // Until the rows are there, keys must not go to a row of the kind before.
    document.getElementById('product-preview')?.focus({ preventScroll: true });
    onIssue(kind);
  };
  const focusFirst = () => {
    const first = rows?.find(({ ignored }) => ignored === null);
    if (sought.current === null || sought.current !== issue || first === undefined) return;
    sought.current = null;
    cellOf(first, issue)?.focus();
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
