import type { Row } from '@draftshelf/contract/review/rows';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { useLeavingOut } from './use-leaving-out.ts';

type LeaveOutButtonProps = {
  importId: string;
  row: Pick<Row, 'row' | 'leftOut'>;
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  size?: 'compact-xs' | 'compact-sm';
  /** Called before the row is saved, where the button goes away then: moves the focus. */
  onPress?: (button: HTMLElement) => void;
  onSaved?: (saved: Row) => void;
};

/** Leaves a row out of the push, or puts it back. */
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
