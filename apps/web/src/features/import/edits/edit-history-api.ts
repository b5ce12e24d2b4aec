import type { Command } from '@draftshelf/contract/review/edit-history';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { editsKey } from '../rows-api.ts';

/** Pages of the commands of an import, the newest first. */
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

/** Others may undo a command at any time. */
const newestEveryMs = 10_000;

/** The newest commands of an import, read again every 10 s and on return to the tab; undefined until they are read. */
export function useNewestCommands(importId: string, enabled: boolean): readonly Command[] | undefined {
  const { data } = useQuery({
    queryKey: [...editsKey(importId), 'newest'],
    queryFn: ({ signal }) => call('listCommands', { params: { id: importId }, query: {}, signal }),
    enabled,
    staleTime: 0,
    refetchInterval: newestEveryMs,
    refetchOnWindowFocus: true,
  });
  return data?.commands;
}

/**
 * The commands that took over edits, the newest first: of an earlier upload of the file, or of an earlier list.
 * Undefined until they are known.
 */
export function useTakenOver(importId: string, kind: 'copied' | 'carried'): Command[] | undefined {
  const { data } = useQuery({
    queryKey: [...editsKey(importId), kind],
    queryFn: ({ signal }) => call('listCommands', { params: { id: importId }, query: { kind }, signal }),
    staleTime: 0,
  });
  return data?.commands;
}

/** The edits of a row, the newest first. */
export function useRowEdits(importId: string, row: number) {
  return useQuery({
    queryKey: [...editsKey(importId), 'row', row],
    queryFn: ({ signal }) => call('listRowEdits', { params: { id: importId, row }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** The pages of commands in which a key looks for the newest. */
const pagesMax = 4;

/** This browser's newest commands of an import. */
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
