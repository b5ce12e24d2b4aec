import type { Row } from '@draftshelf/contract/review/rows';
import { useRef } from 'react';
import { useOfferedActions } from '../../../ui/actions/offered-actions.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { useScreenKey } from '../../../ui/hooks/use-screen-key.ts';
import { useLeavingOut } from '../product/use-leaving-out.ts';
import { rowOfElement } from './use-problems.ts';

type LeaveOutProps = {
  importId: string;
  rows: readonly Row[];
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  /** Whether a row has an unsaved edit. */
  isEdited: (row: Row) => boolean;
  onSaved: (saved: Row) => void;
};

/** Leaves the row that has the focus out of the push, or puts it back: with the key `x`, in the table and on cards. */
export function useLeaveOut({ importId, rows, lock, isEdited, onSaved }: LeaveOutProps): void {
  const { change } = useLeavingOut(importId);
  const toast = useToast();
  /** The rows that are being saved. The operator may go on with the next one meanwhile. */
  const saving = useRef(new Set<number>());
  const leaveOut = async (focused: Element | null) => {
    if (lock !== null) return;
    const row = rows.find(({ row }) => row === rowOfElement(focused));
    if (row === undefined) {
      toast({ title: 'No row has the focus', text: 'Go to a cell first, and press Esc.' });
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
