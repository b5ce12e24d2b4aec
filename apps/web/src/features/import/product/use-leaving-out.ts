import type { Row } from '@draftshelf/contract/review/rows';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { useSavedToast } from '../edits/use-undo.ts';
import { useRowEdit } from '../rows-api.ts';

/** Leaves rows out of the push, or puts them back, and tells how it went. */
export function useLeavingOut(importId: string) {
  const { mutateAsync, isPending } = useRowEdit(importId);
  const failure = useFailureToast();
  const showSaved = useSavedToast(importId);
  /** Returns the row as saved; null if that failed. */
  const change = async ({ row, leftOut }: Pick<Row, 'row' | 'leftOut'>): Promise<Row | null> => {
    try {
      const reply = await mutateAsync({ row, leaveOut: !leftOut });
      failure.dismiss();
      showSaved([reply]);
      return reply.row;
    } catch (error) {
      const failed = leftOut ? 'Couldn’t put the row back' : 'Couldn’t leave the row out';
      failure.show(failed, error instanceof Error ? error.message : String(error));
      return null;
    }
  };
  return { change, isPending };
}
