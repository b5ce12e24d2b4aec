import type { IssueCode } from '@draftshelf/domain/issues';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { ShownImport } from '../../../api/imports.ts';
import { useOfferedActions } from '../../../components/palette/offered-actions.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { isPlainKey } from '../../../lib/search-field.ts';
import type { OpenedEdit } from './bulk-dialog.tsx';
import { type ChosenRows, changeLabel, type chosenRows } from './chosen-rows.ts';

const BulkDialog = lazily(() => import('./bulk-dialog.tsx').then((chunk) => chunk.BulkDialog));

type BulkEditProps = {
  record: ShownImport;
  /** The ticked rows, or else the filtered ones, or why they can't be changed together. */
  choose: (ticked: ReadonlySet<number>) => ReturnType<typeof chosenRows>;
  ticked: ReadonlySet<number>;
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
  open: (fix?: IssueCode) => void;
  /** Opens it for one row, with the fix of an issue. */
  fixRow: (row: number, fix: IssueCode) => void;
  dialog: ReactNode;
};

/** A change of many rows at once. The dialog belongs to the page: it stays where the window takes another layout. */
export function useBulkEdit({ record, choose, ticked, isLoading, lock, headers }: BulkEditProps): BulkEdit {
  const [isOpened, setOpened] = useState(false);
  const [last, setLast] = useState<OpenedEdit | null>(null);
  const chosen = choose(ticked);
  const reason = lock ?? (typeof chosen === 'string' ? chosen : null);
  const label = typeof chosen === 'string' ? 'Change Rows…' : changeLabel(chosen);
  // The rows of the dialog stay those that were chosen when it was opened.
  const show = (rows: ChosenRows, fix: IssueCode | null) => {
    setLast({ chosen: rows, fix, nth: (last?.nth ?? 0) + 1 });
    setOpened(true);
  };
  const open = (fix?: IssueCode) => {
    if (reason !== null || typeof chosen === 'string') return;
    show(isLoading && ticked.size === 0 ? { ...chosen, count: null } : chosen, fix ?? null);
  };
  useOfferedActions([{ label, key: 'c', reason, act: () => open() }]);
  useOpenKey(() => open());
  return {
    label,
    reason,
    open,
    fixRow: (row, fix) => {
      const one = choose(new Set([row]));
      if (lock === null && typeof one !== 'string') show(one, fix);
    },
    dialog: last !== null && (
      <Suspense fallback={null}>
        <BulkDialog
          importId={record.id}
          edit={last}
          headers={headers}
          opened={isOpened}
          onClose={() => setOpened(false)}
        />
      </Suspense>
    ),
  };
}

/** The key `c` opens the dialog. */
function useOpenKey(open: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'c' || event.repeat || event.defaultPrevented || !isPlainKey(event)) return;
    event.preventDefault();
    open();
  });
  useEffect(() => {
    // On the window, after the document's shortcuts: `g` and a letter open a screen.
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
