import type { Row } from '@draftshelf/contract/review/rows';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { useSavedToast } from '../edits/use-undo.ts';
import { useRowEdit } from '../rows-api.ts';

type LeaveOutButtonProps = {
  importId: string;
  row: Pick<Row, 'row' | 'leftOut'>;
  lock: string | null;
  size?: 'compact-xs' | 'compact-sm';
  /** Moves the focus before the row is saved, where the button goes away then. */
  onPress?: (button: HTMLElement) => void;
  onSaved?: (saved: Row) => void;
};

export function LeaveOutButton({ importId, row, lock, size, onPress, onSaved }: LeaveOutButtonProps) {
  const { change, isPending } = useLeavingOut(importId);
  const save = async (button: HTMLElement) => {
    if (isPending) return;
    onPress?.(button);
    const saved = await change(row);
    if (saved !== null) onSaved?.(saved);
  };
  return (
    <ReasonedButton
      variant="default"
      {...(size ? { size } : {})}
      reason={lock}
      loading={isPending}
      aria-label={row.leftOut ? `Put back row ${row.row}` : `Leave out of the push: row ${row.row}`}
      onClick={({ currentTarget }) => void save(currentTarget)}
    >
      {row.leftOut ? 'Put Back' : 'Leave Out of the Push'}
    </ReasonedButton>
  );
}

export function useLeavingOut(importId: string) {
  const { mutateAsync, isPending } = useRowEdit(importId, (_error, { leaveOut }) => ({
    title: leaveOut ? 'Couldn’t leave the row out' : 'Couldn’t put the row back',
  }));
  const showSaved = useSavedToast(importId);
  /** Null: saving failed. */
  const change = async ({ row, leftOut }: Pick<Row, 'row' | 'leftOut'>): Promise<Row | null> => {
    try {
      const reply = await mutateAsync({ row, leaveOut: !leftOut });
      showSaved([reply]);
      return reply.row;
    } catch {
      return null;
    }
  };
  return { change, isPending };
}
