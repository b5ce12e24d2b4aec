import type { List } from '@draftshelf/contract/imports/list';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assume } from '../../../api/assume.ts';
import { type CallRequest, call, type Reply, urlOfEndpoint } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { importRead, refreshImport } from '../imports-api.ts';

/** The suppliers by name, as they are when their menu opens. */
export const useSuppliers = (enabled: boolean) =>
  useQuery({ ...readOf('listSuppliers'), staleTime: 0, enabled });

/** Says whose list an import is, which may begin a re-read. */
export function useSupplierSet(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<CallRequest<'setSupplier'>['body']>) =>
      call('setSupplier', { params: { id: importId }, body }),
    onSettled: () => refreshImport(client, importId),
  });
}

/** Gives a supplier another name, which screens show from then on. */
export function useSupplierRename(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: number } & NonNullable<CallRequest<'renameSupplier'>['body']>) =>
      call('renameSupplier', { params: { id }, body }),
    onSettled: () => refreshImport(client, importId, { rows: false }),
  });
}

type Answer = NonNullable<CallRequest<'answerList'>['body']>;

/** Answers about a list, which are shown at once. */
export function useListAnswer(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Answer) => call('answerList', { params: { id: importId }, body }),
    onMutate: (answer) =>
      assume<Reply<'getImport'>>(
        client,
        { queryKey: importRead(importId).queryKey, exact: true },
        ({ job, ...read }) => ({ ...read, job: { ...job, list: job.list && answered(job.list, answer) } }),
      ),
    onError: (_error, _answer, takeBack) => takeBack?.(),
    onSettled: () => refreshImport(client, importId, { rows: false }),
  });
}

/** Answers about the lists of a supplier. */
export function useSupplierAnswers(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: number } & NonNullable<CallRequest<'answerSupplier'>['body']>) =>
      call('answerSupplier', { params: { id }, body }),
    onSettled: () => refreshImport(client, importId, { rows: false }),
  });
}

/** A list with an answer about it. */
export function answered(list: List, { counts, isLatest, isWhole }: Answer): List {
  const state = counts === undefined ? list.state : counts ? 'counted' : 'not counted';
  return {
    ...{ ...list, state },
    late: list.late && { ...list.late, isLatest: isLatest ?? list.late.isLatest },
    cutOff: list.cutOff && { ...list.cutOff, isWhole: isWhole ?? list.cutOff.isWhole },
    isWhole: isWhole ?? list.isWhole,
  };
}

/** Pages of what an earlier list had and this one has not; or of what is no longer listed. */
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

/** Download of what differs from the earlier list. */
export const changesUrl = (importId: string): string => urlOfEndpoint('getListChanges', { id: importId });
