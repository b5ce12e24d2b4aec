import type { Row } from '@draftshelf/contract/review/rows';
import { issueFixes } from '@draftshelf/domain/review/issue-fixes';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { type ReactNode, useState } from 'react';
import { useOfferedActions } from '../../../ui/actions/offered-actions.ts';
import { useScreenKey } from '../../../ui/hooks/use-screen-key.ts';
import { overlay } from '../../../ui/later.tsx';
import type { ShownImport } from '../imports-api.ts';
import type { Fix, OpenedEdit } from './bulk-dialog.tsx';
import { type ChosenRows, changeLabel, type chosenRows, fieldOfIssue } from './chosen-rows.ts';

const BulkDialog = overlay(() => import('./bulk-dialog.tsx').then((chunk) => chunk.BulkDialog));

type BulkEditProps = {
  record: ShownImport;
  /** The ticked rows, or else the filtered ones, or why they can't be changed together. */
  choose: (ticked: ReadonlySet<number>) => ReturnType<typeof chosenRows>;
  ticked: ReadonlySet<number>;
  /** The rows of the page. */
  rows: readonly Row[];
  /** The issue that the rows are filtered by. */
  issue: string | undefined;
  /** The count of the filtered rows is still that of the rows before. */
  isLoading: boolean;
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  /** The headers of the file. */
  headers: readonly string[];
};

export type BulkEdit = {
  label: string;
  /** Reason for not changing the rows; null if they can be changed. */
  reason: string | null;
  /** Opens the dialog for the chosen rows: with the fix of an issue, or with the lines that were entered before. */
  open: (fix?: Fix) => void;
  /** Opens it for one row, with the fix of an issue. */
  fixRow: (row: number, fix: IssueCode) => void;
  dialog: ReactNode;
};

/** A change of many rows at once. The dialog belongs to the page: it stays where the window takes another layout. */
export function useBulkEdit(props: BulkEditProps): BulkEdit {
  const { record, choose, ticked, rows, issue, isLoading, lock, headers } = props;
  const [isOpened, setOpened] = useState(false);
  const [last, setLast] = useState<OpenedEdit | null>(null);
  const chosen = choose(ticked);
  const reason = lock ?? (typeof chosen === 'string' ? chosen : null);
  const label = typeof chosen === 'string' ? 'Change Rows…' : changeLabel(chosen);
  // The rows of the dialog stay those that were chosen when it was opened.
  const show = (shown: ChosenRows, fix: Fix | null) => {
    setLast({ chosen: shown, fix, nth: (last?.nth ?? 0) + 1 });
    setOpened(true);
  };
  const open = (fix?: Fix) => {
    if (reason !== null || typeof chosen === 'string') return;
    show(isLoading && ticked.size === 0 ? { ...chosen, count: null } : chosen, fix ?? null);
  };
  const fix = issueFixes.find(({ code }) => code === issue);
  const leavesOut = label.replace(/^Change/, 'Leave Out');
  useOfferedActions([
    { label, key: 'c', reason, act: () => open() },
    ...(fix === undefined ? [] : [{ label: `${fix.label}…`, key: 'f', reason, act: () => open(fix.code) }]),
    { label: leavesOut, key: 'X', reason, act: () => open('leave-out') },
  ]);
  useScreenKey('c', () => open());
  useScreenKey('f', ({ target }) => {
    if (fix !== undefined) return open(fix.code);
    const row = target instanceof Element ? target.closest('[data-row]') : null;
    row?.querySelector<HTMLElement>('[data-fixes]')?.click();
  });
  return {
    label,
    reason,
    open,
    fixRow: (row, fix) => {
      const one = choose(new Set([row]));
      if (lock !== null || typeof one === 'string') return;
      const itself = rows.filter((each) => each.row === row);
      show({ ...one, field: fieldOfIssue(itself, fix) }, fix);
    },
    dialog: last !== null && (
      <BulkDialog
        importId={record.id}
        edit={last}
        headers={headers}
        opened={isOpened}
        onClose={() => setOpened(false)}
      />
    ),
  };
}
