import type { SupplierList } from '@draftshelf/contract/imports/list';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { showChange } from '../../../api/assume.ts';
import { buildDownloadUrl, type CallRequest, pagedReadOf, type Reply, readOf } from '../../../api/call.ts';
import { importKey } from '../../../api/stale-reads.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';

export const useSuppliers = (enabled: boolean) =>
  useQuery({ ...readOf('listSuppliers'), staleTime: 0, enabled });

type Answer = NonNullable<CallRequest<'answerList'>['body']>;

export const useListAnswer = (importId: string) =>
  useCall('answerList', {
    params: { id: importId },
    failed: 'Couldn’t save the answer',
    assume: (client, { body: answer = {} }) =>
      showChange<Reply<'getImport'>>(
        client,
        { queryKey: importKey(importId), exact: true },
        ({ job, ...read }) => ({
          ...read,
          job: { ...job, list: job.list && applyListAnswer(job.list, answer) },
        }),
      ),
  });

export function applyListAnswer(list: SupplierList, { counts, isLatest, isWhole }: Answer): SupplierList {
  const state = counts === undefined ? list.state : counts ? 'counted' : 'not counted';
  return {
    ...{ ...list, state },
    late: list.late && { ...list.late, isLatest: isLatest ?? list.late.isLatest },
    cutOff: list.cutOff && { ...list.cutOff, isWhole: isWhole ?? list.cutOff.isWhole },
    isWhole: isWhole ?? list.isWhole,
  };
}

/** `gone`: true to read only items that are missing from several consecutive lists. */
export const useMissingItems = (importId: string, gone = false) =>
  useInfiniteQuery(pagedReadOf('listMissing', { id: importId }, gone ? { gone: 'true' } : {}));

export const listChangesUrl = (importId: string): string =>
  buildDownloadUrl('getListChanges', { id: importId });
