import type { IssueFilter, RowPage } from '@draftshelf/contract/review/rows';
import { issueFixes } from '@draftshelf/domain/review/issue-fixes';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { IconPencil } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { ClearButton } from '../../../ui/basics.tsx';
import { HintedButton, PlainHintedButton } from '../../../ui/hint.tsx';
import { useOfferedActions, useScreenKey } from '../../../ui/keys.ts';
import { lazyOverlay } from '../../../ui/later.tsx';
import type { ShownImport } from '../imports-api.ts';
import type { RowTicks } from '../row-ticks.ts';
import type { RowsAddress } from '../rows-address.ts';
import type { Fix, OpenedEdit } from './bulk-dialog.tsx';
import classes from './bulk-edit.module.css';
import { type ChosenRows, changeRowsLabel, findChosenRows, findIssueField } from './chosen-rows.ts';

const dialogs = () => import('./bulk-dialog.tsx');
const BulkDialog = lazyOverlay(dialogs, 'BulkDialog');
export const CellBlockDialog = lazyOverlay(dialogs, 'CellBlockDialog');

type BulkEditProps = {
  record: ShownImport;
  /** The reason why rows cannot be edited now, or null if they can. */
  lock: string | null;
  page: RowPage;
  address: RowsAddress;
  ticks: Pick<RowTicks, 'rows'>;
  /** True while the page still has the row count of the previous filter. */
  isLoading: boolean;
  /** `stay` holds the shown rows. Called when a change is applied, or when it starts in the background. */
  heldRows: { stay: () => void };
};

/**
 * Keeps the change for which a dialog was last opened, so that the dialog can show it while closing. A late reply to an
 * earlier change does not close a reopened dialog.
 */
export function useChangeDialog<Change>() {
  const [last, setLast] = useState<Change | null>(null);
  const [opened, setOpened] = useState(false);
  const newest = useRef<Change | null>(null);
  return {
    last,
    open: (change: Change) => {
      newest.current = change;
      setLast(change);
      setOpened(true);
    },
    of: (change: Change) => ({
      opened,
      onClose: () => {
        if (newest.current === change) setOpened(false);
      },
    }),
  };
}

export type BulkEdit = ReturnType<typeof useBulkEdit>;

/** The page renders the dialog, so that it stays open when the window's layout changes. */
export function useBulkEdit({ record, lock, page, address, isLoading, ticks, heldRows }: BulkEditProps) {
  const ticked = ticks.rows;
  const dialog = useChangeDialog<OpenedEdit>();
  const target = findChosenRows({ address, page, ticked });
  const reason = lock ?? (typeof target === 'string' ? target : null);
  const label = typeof target === 'string' ? 'Change Rows…' : changeRowsLabel(target);
  // The dialog keeps the rows for which it was opened.
  const show = (rows: ChosenRows, fix: Fix | null) =>
    dialog.open({ rows, fix, nth: (dialog.last?.nth ?? 0) + 1 });
  const open = (fix?: Fix) => {
    if (reason !== null || typeof target === 'string') return;
    show(isLoading && ticked.size === 0 ? { ...target, count: null } : target, fix ?? null);
  };
  const fix = issueFixes.find(({ code }) => code === address.issue);
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
    /** Without a fix, the dialog opens with the lines entered earlier. */
    open,
    fixRow: (row: number, fix: IssueCode) => {
      const single = findChosenRows({ address, page, ticked: new Set([row]) });
      if (lock !== null || typeof single === 'string') return;
      const onPage = page.rows.filter((other) => other.row === row);
      show({ ...single, field: findIssueField(onPage, fix) }, fix);
    },
    dialog: dialog.last !== null && (
      <BulkDialog
        {...{ importId: record.id, edit: dialog.last, headers: page.headers, onApplied: heldRows.stay }}
        {...dialog.of(dialog.last)}
      />
    ),
  };
}

export function BulkEditButton({ edit, ticks }: { edit: BulkEdit; ticks: RowTicks }) {
  return (
    <div className={`row ${classes.entry} gap-tight rigid to-the-end`}>
      <PlainHintedButton reason={edit.reason} onClick={() => edit.open()}>
        <IconPencil className={classes.icon} size={16} aria-hidden />
        <span className={`${classes.label} numbers`}>{edit.label}</span>
      </PlainHintedButton>
      {ticks.rows.size > 0 && (
        <ClearButton label={`Untick ${countOf(ticks.rows.size, 'row')}`} onClick={ticks.clear} />
      )}
    </div>
  );
}

export function FixButtons({ edit, issue }: { edit: BulkEdit; issue: IssueFilter | undefined }) {
  const fixes = issueFixes.filter(({ code }) => code === issue);
  if (fixes.length === 0) return null;
  return (
    <div className={`row-wrap ${classes.fixes} gap-tight`}>
      {fixes.map(({ code, label }) => (
        <HintedButton
          key={label}
          variant="light"
          size="compact-md"
          reason={edit.reason}
          onClick={() => edit.open(code)}
        >
          {label}…
        </HintedButton>
      ))}
    </div>
  );
}
