import type { Row } from '@draftshelf/contract/review/rows';
import { useSavedToast } from '../edits/use-undo.ts';
import { useRowEdit } from '../rows-api.ts';

/** Leaves rows out of the push, or puts them back, and tells how it went. */
export function useLeavingOut(importId: string) {
  const { mutateAsync, isPending } = useRowEdit(importId, (_error, { leaveOut }) => ({
    title: leaveOut ? 'Couldn’t leave the row out' : 'Couldn’t put the row back',
  }));
  const showSaved = useSavedToast(importId);
  /** Returns the row as saved; null if that failed. */
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
