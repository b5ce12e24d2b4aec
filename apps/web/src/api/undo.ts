import { nothingToUndoCode, undoEdits } from '@draftshelf/contract/rows';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { CallError, call } from './call.ts';
import { refreshAfterEdit } from './rows.ts';

/**
 * Undoes commands of an import, the last one first, without those that have nothing left to undo. Undoing an undo is a
 * redo. Resolves to the replies; rejects if nothing could be undone.
 */
export function useCommandUndo(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (commands: readonly string[]) => {
      const replies = [];
      for (const command of commands.toReversed()) {
        try {
          replies.push(await call(undoEdits, { params: { id: importId, command } }));
        } catch (error) {
          if (commands.length === 1 || !isNothingToUndo(error as Error)) throw error;
        }
      }
      if (replies.length === 0) throw new Error('All values have been edited since. Nothing was undone.');
      return replies;
    },
    // Not awaited: the next command may be undone at once.
    onSettled: () => void refreshAfterEdit(client, importId),
  });
}

const NothingToUndo = z.object({ code: z.literal(nothingToUndoCode) });

/** Whether an undo was refused because there is nothing left to undo, so that no later try succeeds. */
export function isNothingToUndo(error: Error): boolean {
  if (!(error instanceof CallError)) return false;
  return error.status === 404 || NothingToUndo.safeParse(error.body).success;
}
