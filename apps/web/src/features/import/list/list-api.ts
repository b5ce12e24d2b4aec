import type { List } from '@draftshelf/contract/imports/list';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { assume } from '../../../api/assume.ts';
import { type CallRequest, call, type Reply, urlOfEndpoint } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { recordKey } from '../../../api/stale-reads.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';

export const useSuppliers = (enabled: boolean) =>
  useQuery({ ...readOf('listSuppliers'), staleTime: 0, enabled });

type Answer = NonNullable<CallRequest<'answerList'>['body']>;

export const useListAnswer = (importId: string) =>
  useCall('answerList', {
    params: { id: importId },
    failed: 'Couldn’t save the answer',
    assume: (client, { body: answer = {} }) =>
      assume<Reply<'getImport'>>(
        client,
        { queryKey: recordKey(importId), exact: true },
        ({ job, ...read }) => ({
          ...read,
          job: { ...job, list: job.list && answered(job.list, answer) },
        }),
      ),
  });

export function answered(list: List, { counts, isLatest, isWhole }: Answer): List {
  const state = counts === undefined ? list.state : counts ? 'counted' : 'not counted';
  return {
    ...{ ...list, state },
    late: list.late && { ...list.late, isLatest: isLatest ?? list.late.isLatest },
    cutOff: list.cutOff && { ...list.cutOff, isWhole: isWhole ?? list.cutOff.isWhole },
    isWhole: isWhole ?? list.isWhole,
  };
}

/** `gone`: missing from several lists in a row. */
export function useMissing(importId: string, gone = false) {
  return useInfiniteQuery({
    queryKey: readKey('listMissing', { id: importId }, { gone }),
    queryFn: ({ pageParam, signal }) =>
      call('listMissing', {
        params: { id: importId },
        query: { ...(pageParam !== null && { after: pageParam }), ...(gone && { gone: 'true' as const }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    gcTime: 0,
  });
}

export const changesUrl = (importId: string): string => urlOfEndpoint('getListChanges', { id: importId });

/** `isDone`: after the plan was carried out. */
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
