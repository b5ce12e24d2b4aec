import {
  decideProposal,
  decideProposals,
  listProposals,
  type Proposal,
  type ProposalFilter,
} from '@draftshelf/contract/proposals';
import { undoEdits } from '@draftshelf/contract/rows';
import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type CallRequest, call } from './call.ts';
import { listPages } from './imports.ts';
import { readKey, readOf } from './read.ts';

const pageSize = 50;

/** Part of the key of the pages, which are not read again after each decision: the lines stay in their places. */
const paged = { paged: true };

const isOfPages = (key: QueryKey) => key.some((part) => (part as typeof paged | undefined)?.paged === true);

/** Pages of the open proposals of an import that match a filter. */
export function useProposalPages(importId: string, filter: ProposalFilter) {
  return useInfiniteQuery({
    queryKey: [...readKey(listProposals.path, { id: importId }, filter), paged],
    queryFn: ({ pageParam, signal }) =>
      call(listProposals, { params: { id: importId }, query: { ...filter, after: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ proposals }: { proposals: Proposal[] }) =>
      proposals.length === pageSize ? proposals.at(-1)?.id : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Another filter, or a visit later, begins with what is open then.
    gcTime: 0,
  });
}

/** Counts and groups of the open proposals of an import that match a filter. */
export function useProposalCounts(importId: string, filter: ProposalFilter) {
  return useQuery({
    ...readOf(listProposals, { params: { id: importId }, query: { ...filter, limit: 0 } }),
    placeholderData: keepPreviousData,
  });
}

type Decision = { proposal: number } & NonNullable<CallRequest<typeof decideProposal>['body']>;

/** Takes or dismisses a proposal. */
export function useProposalDecision(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ proposal, ...body }: Decision) =>
      call(decideProposal, { params: { id: importId, proposal }, body }),
    onSettled: () => refreshAround(client, importId),
  });
}

/** Takes or dismisses many proposals. */
export function useBulkDecision(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<CallRequest<typeof decideProposals>['body']>) =>
      call(decideProposals, { params: { id: importId }, body }),
    onSettled: () => refreshAround(client, importId),
  });
}

/** Undoes a decision by its command. */
export function useDecisionUndo(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (command: string) => call(undoEdits, { params: { id: importId, command } }),
    onSettled: () => refreshAround(client, importId),
  });
}

/** Reads the import, its rows and the counts of its proposals again, but not the pages. */
function refreshAround(client: QueryClient, importId: string) {
  const [resource, id] = readKey(listProposals.path, { id: importId });
  return Promise.all([
    client.invalidateQueries(listPages),
    client.invalidateQueries({
      queryKey: [resource, id],
      predicate: ({ queryKey }) => !isOfPages(queryKey),
    }),
  ]);
}

/** Reads the proposals of an import again when their number changes: look-ups, rules or others have made some. */
export function useRefreshOnNew(importId: string, count: number): void {
  const client = useQueryClient();
  const seen = useRef(count);
  useEffect(() => {
    if (count <= seen.current) {
      seen.current = count;
      return;
    }
    seen.current = count;
    void client.invalidateQueries({ queryKey: readKey(listProposals.path, { id: importId }) });
  }, [client, importId, count]);
}
