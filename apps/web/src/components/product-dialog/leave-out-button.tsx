import type { Row } from '@draftshelf/contract/rows';
import { useRowEdit } from '../../api/rows.ts';
import { useSavedToast } from '../edits/use-undo.ts';
import { useFailureToast } from '../feedback/toast.tsx';
import { ReasonedButton } from '../reasoned-button.tsx';

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
  const edit = useRowEdit(importId);
  const failure = useFailureToast();
  const showSaved = useSavedToast(importId);
  const failed = row.leftOut ? 'Couldn’t put the row back' : 'Couldn’t leave the row out';
  const save = (button: HTMLElement) => {
    if (edit.isPending) return;
    onPress?.(button);
    edit.mutate(
      { row: row.row, leaveOut: !row.leftOut },
      {
        onSuccess: (reply) => {
          failure.dismiss();
          showSaved([reply]);
          onSaved?.(reply.row);
        },
        onError: (error) => failure.show(failed, error.message),
      },
    );
  };
  return (
    <ReasonedButton
      variant="default"
      {...(size ? { size } : {})}
      reason={lock}
      loading={edit.isPending}
      aria-label={row.leftOut ? `Put back row ${row.row}` : `Leave out of the push: row ${row.row}`}
      onClick={({ currentTarget }) => save(currentTarget)}
    >
      {row.leftOut ? 'Put Back' : 'Leave Out of the Push'}
    </ReasonedButton>
  );
}
