import type { Command } from '@draftshelf/contract/review/edit-history';
import { nothingToUndoCode } from '@draftshelf/contract/wire';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CallError, call } from '../../../api/call.ts';
import { pollMs, readKey } from '../../../api/read.ts';
import { useCalls } from '../../../ui/feedback/use-call.ts';

/** The key of all reads of an import's history, and of its rows. */
const editsKey = (importId: string) => readKey('listCommands', { id: importId });

export function useCommandPages(importId: string) {
  return useInfiniteQuery({
    queryKey: [...editsKey(importId), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('listCommands', { params: { id: importId }, query: { before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ commands, later }) => (later ? commands.at(-1)?.id : undefined),
    // A visit later begins with what is done then.
    staleTime: 0,
    gcTime: 0,
  });
}

/** Undefined until they are read. */
export function useNewestCommands(importId: string, enabled: boolean): readonly Command[] | undefined {
  const { data } = useQuery({
    queryKey: [...editsKey(importId), 'newest'],
    queryFn: ({ signal }) => call('listCommands', { params: { id: importId }, query: {}, signal }),
    enabled,
    staleTime: 0,
    refetchInterval: pollMs.commands,
    refetchOnWindowFocus: true,
  });
  return data?.commands;
}

/** Commands that took over edits of an earlier upload or list, the newest first; undefined until read. */
export function useTakenOver(importId: string, kind: 'copied' | 'carried'): Command[] | undefined {
  const { data } = useQuery({
    queryKey: [...editsKey(importId), kind],
    queryFn: ({ signal }) => call('listCommands', { params: { id: importId }, query: { kind }, signal }),
    staleTime: 0,
  });
  return data?.commands;
}

export function useRowEdits(importId: string, row: number) {
  return useQuery({
    queryKey: [...editsKey(importId), 'row', row],
    queryFn: ({ signal }) => call('listRowEdits', { params: { id: importId, row }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Pages in which a key looks for the newest command. */
const pagesMax = 4;

export async function readOwnCommands(importId: string): Promise<Command[]> {
  const own: Command[] = [];
  for (let page = 0; page < pagesMax; page++) {
    const query = { author: 'this-browser' as const, before: own.at(-1)?.id };
    const { commands, later } = await call('listCommands', { params: { id: importId }, query });
    own.push(...commands);
    if (!later) break;
  }
  return own;
}

/**
 * Undoes the last one first, without those that have nothing left to undo. Resolves to the replies, and to the error
 * that stopped it, if any; rejects if nothing could be undone.
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

/** Undoing an undo is a redo. */
export const useCommandUndo = (importId: string) =>
  useCalls(
    (commands: readonly string[]) =>
      undoEach(commands, (command) => call('undoEdits', { params: { id: importId, command } })),
    () => [{ name: 'undoEdits', params: { id: importId } }],
  );

/** Then no later try succeeds. */
export function isNothingToUndo(error: Error): boolean {
  if (!(error instanceof CallError)) return false;
  return error.status === 404 || error.code === nothingToUndoCode;
}
