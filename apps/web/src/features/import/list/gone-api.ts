import type { GoneAction } from '@draftshelf/domain/suppliers/gone';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { refreshImport } from '../imports-api.ts';

const pollMs = 1_000;

const goneRead = (importId: string) => readOf('getGone', { params: { id: importId } });

/** What is planned for products that are no longer listed and how far that is, read now. */
export const readGone = (importId: string) => call('getGone', { params: { id: importId } });

/** What is planned for products that are no longer listed, read again while that is planned or done. */
export const useGone = (importId: string) =>
  useQuery({
    ...goneRead(importId),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && ['previewing', 'undoing', 'paused'].includes(data.state) ? pollMs : false,
  });

/** Lines that stay as they are; `isDone`: by what was done. */
export const useKeptProducts = (importId: string, isDone: boolean) =>
  useInfiniteQuery({
    queryKey: readKey('listGoneProducts', { id: importId }, { isDone }),
    queryFn: ({ pageParam, signal }) => {
      const of = { end: 'keep' as const, ...(isDone && { results: 'true' as const }) };
      const query = { ...of, ...(pageParam !== null && { after: pageParam }) };
      return call('listGoneProducts', { params: { id: importId }, query, signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    gcTime: 0,
  });

/** Plans an action. Without keys, for all. */
export function usePlanGone(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { action: GoneAction; keys?: string[] }) =>
      call('planGone', { params: { id: importId }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: goneRead(importId).queryKey }),
  });
}

/** Carries a plan out. */
export function usePushGone(importId: string, onBegun: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (plan: number) => call('pushGone', { params: { id: importId }, body: { plan } }),
    onSuccess: onBegun,
    onSettled: () =>
      Promise.all([
        refreshImport(client, importId, { rows: false }),
        client.invalidateQueries({ queryKey: goneRead(importId).queryKey }),
      ]),
  });
}
