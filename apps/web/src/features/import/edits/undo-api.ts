import { nothingToUndoCode } from '@draftshelf/contract/wire';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CallError, call } from '../../../api/call.ts';
import { refreshAfterEdit } from '../rows-api.ts';

/**
 * Undoes commands, the last one first, without those that have nothing left to undo. Resolves to the replies, and to
 * the error that stopped it, if any; rejects if nothing could be undone.
 */
export async function undoEach<Reply>(
  commands: readonly string[],
  undo: (command: string) => Promise<Reply>,
): Promise<{ replies: Reply[]; error: Error | null }> {
  const replies: Reply[] = [];
  for (const command of commands.toReversed()) {
    try {
      replies.push(await undo(command));
    } catch (error) {
      if (commands.length > 1 && isNothingToUndo(error as Error)) continue;
      if (replies.length === 0) throw error;
      return { replies, error: error as Error };
    }
  }
  if (replies.length === 0) throw new Error('All values have been edited since. Nothing was undone.');
  return { replies, error: null };
}

/** Undoes commands of an import by `undoEach`. Undoing an undo is a redo. */
export function useCommandUndo(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (commands: readonly string[]) =>
      undoEach(commands, (command) => call('undoEdits', { params: { id: importId, command } })),
    // Not awaited: the next command may be undone at once.
    onSettled: () => void refreshAfterEdit(client, importId),
  });
}

/** Whether an undo was refused because there is nothing left to undo, so that no later try succeeds. */
export function isNothingToUndo(error: Error): boolean {
  if (!(error instanceof CallError)) return false;
  return error.status === 404 || error.code === nothingToUndoCode;
}
