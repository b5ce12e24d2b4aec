import { CloseButton } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { ShownImport } from '../../../api/imports.ts';
import { useOfferedActions } from '../../../components/palette/offered-actions.ts';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { countOf } from '../../../lib/intl.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { isPlainKey } from '../../../lib/search-field.ts';
import { useEver } from '../../../lib/use-ever.ts';
import type { RowTicks } from '../rows/row-ticks.ts';
import classes from './bulk-edit.module.css';
import { type ChosenRows, changeLabel, type chosenRows } from './chosen-rows.ts';

const BulkDialog = lazily(() => import('./bulk-dialog.tsx').then((chunk) => chunk.BulkDialog));

type BulkEditProps = {
  record: ShownImport;
  /** The rows that would be changed, or why they can't be. */
  chosen: ReturnType<typeof chosenRows>;
  /** The count of the chosen rows is still that of the rows before. */
  isLoading: boolean;
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  ticks: RowTicks;
  /** The headers of the file. */
  headers: readonly string[];
};

/** Changes many rows at once: those that are ticked, filtered, or all. */
export function BulkEdit({ record, chosen, isLoading, lock, ticks, headers }: BulkEditProps) {
  // The rows of the dialog stay those that were chosen when it was opened.
  const [opened, setOpened] = useState<ChosenRows | null>(null);
  const [last, setLast] = useState<ChosenRows | null>(null);
  const wasOpened = useEver(opened !== null);
  const reason = lock ?? (typeof chosen === 'string' ? chosen : null);
  const label = typeof chosen === 'string' ? 'Change Rows…' : changeLabel(chosen);
  const open = () => {
    if (reason !== null || typeof chosen === 'string') return;
    const frozen = isLoading ? { ...chosen, count: null } : chosen;
    setLast(frozen);
    setOpened(frozen);
  };
  useOfferedActions([{ label, key: 'c', reason, act: open }]);
  useOpenKey(open);
  return (
    <div className={classes.entry}>
      <ReasonedButton variant="default" size="compact-md" reason={reason} onClick={open}>
        <IconPencil className={classes.icon} size={16} aria-hidden />
        <span className={`${classes.label} numbers`}>{label}</span>
      </ReasonedButton>
      {ticks.rows.size > 0 && (
        <CloseButton
          variant="default"
          size={28}
          aria-label={`Untick ${countOf(ticks.rows.size, 'row')}`}
          title={`Untick ${countOf(ticks.rows.size, 'row')}`}
          onClick={ticks.clear}
        />
      )}
      {wasOpened && last !== null && (
        <Suspense fallback={null}>
          <BulkDialog
            importId={record.id}
            chosen={last}
            headers={headers}
            opened={opened !== null}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </div>
  );
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
