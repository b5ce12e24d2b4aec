import type { Proposal, ProposalFilter } from '@draftshelf/contract/review/proposals';
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
import { type CallRequest, call } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { listPages, proposalsKey } from '../imports-api.ts';

const pageSize = 50;

/** Part of the key of the pages, which are not read again after each decision: the lines stay in their places. */
const paged = { paged: true };

const isOfPages = (key: QueryKey) => key.some((part) => (part as typeof paged | undefined)?.paged === true);

/** A proposal of a page. `readAtMs`: when the page was asked for, on the clock of `performance.now()`. */
export type ListedProposal = Proposal & { readAtMs: number };

/** Pages of the open proposals of an import that match a filter. */
export function useProposalPages(importId: string, filter: ProposalFilter) {
  return useInfiniteQuery({
    queryKey: [...readKey('listProposals', { id: importId }, filter), paged],
    queryFn: async ({ pageParam, signal }): Promise<{ proposals: ListedProposal[] }> => {
      const readAtMs = performance.now();
      const query = { ...filter, after: pageParam };
      const { proposals } = await call('listProposals', { params: { id: importId }, query, signal });
      return { proposals: proposals.map((proposal) => ({ ...proposal, readAtMs })) };
    },
    initialPageParam: 0,
    getNextPageParam: ({ proposals }: { proposals: ListedProposal[] }) =>
      proposals.length === pageSize ? proposals.at(-1)?.id : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Another filter, or a visit later, begins with what is open then.
    gcTime: 0,
  });
}

/** Counts and groups of the open proposals of an import that match a filter. */
export function useProposalCounts(importId: string, filter: ProposalFilter) {
  return useQuery({
    ...readOf('listProposals', { params: { id: importId }, query: { ...filter, limit: 0 } }),
    placeholderData: keepPreviousData,
    // Like the pages, a visit later begins with what is open then.
    staleTime: 0,
    refetchOnMount: 'always',
  });
}

/** The open proposals for a field of a row. */
export function useFieldProposals(importId: string, { row, field }: { row: number; field: string }) {
  return useQuery(readOf('listProposals', { params: { id: importId }, query: { row, field } }));
}

type Decision = { proposal: number } & NonNullable<CallRequest<'decideProposal'>['body']>;

/** Takes or dismisses a proposal. */
export function useProposalDecision(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ proposal, ...body }: Decision) =>
      call('decideProposal', { params: { id: importId, proposal }, body }),
    onSettled: () => refreshAround(client, importId),
  });
}

/** Takes or dismisses many proposals. */
export function useBulkDecision(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<CallRequest<'decideProposals'>['body']>) =>
      call('decideProposals', { params: { id: importId }, body }),
    onSettled: () => refreshAround(client, importId),
  });
}

/** Undoes a decision by its command. */
export function useDecisionUndo(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (command: string) => call('undoEdits', { params: { id: importId, command } }),
    onSettled: () => refreshAround(client, importId),
  });
}

/** Reads the import, its rows and the counts of its proposals again, but not the pages. */
function refreshAround(client: QueryClient, importId: string) {
  const [resource, id] = proposalsKey(importId);
  return Promise.all([
    client.invalidateQueries(listPages),
    client.invalidateQueries({
      queryKey: [resource, id],
      predicate: ({ queryKey }) => !isOfPages(queryKey),
    }),
  ]);
}

/** The open proposals of an import, as its details have them: their number and their highest id. */
export type OpenProposals = { count: number; newest: number | null };

/** What to remember after `now`, and whether there are proposals that were not there before. */
export function compareOpenProposals(
  before: OpenProposals,
  now: OpenProposals,
): { seen: OpenProposals; isNew: boolean } {
  // Deciding the newest one makes the highest id smaller; undoing that adds one with a known id.
  const newest = Math.max(before.newest ?? 0, now.newest ?? 0);
  return {
    seen: { count: now.count, newest },
    isNew: now.count > before.count || newest > (before.newest ?? 0),
  };
}

/** Reads the proposals of an import again when there are new ones: look-ups, rules or others have made some. */
export function useRefreshOnNew(importId: string, { count, newest }: OpenProposals): void {
  const client = useQueryClient();
  const seen = useRef<OpenProposals>({ count, newest });
  useEffect(() => {
    const compared = compareOpenProposals(seen.current, { count, newest });
    seen.current = compared.seen;
    if (compared.isNew) void client.invalidateQueries({ queryKey: proposalsKey(importId) });
  }, [client, importId, count, newest]);
}
