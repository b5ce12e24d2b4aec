import type { Proposal, ProposalFilter } from '@draftshelf/contract/review/proposals';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';

const pageSize = 50;

/** `readAtMs`: time of the request, on the clock of `performance.now()`. */
export type ListedProposal = Proposal & { readAtMs: number };

export const useProposalPages = (importId: string, filter: ProposalFilter) =>
  useInfiniteQuery({
    queryKey: [...readKey('listProposals', { id: importId }, filter), 'pages'],
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
    // Another filter or a later visit begins with the open proposals.
    gcTime: 0,
    // The lines stay in their places after decisions.
    meta: { held: ({ name }) => name === 'decideProposal' || name === 'decideProposals' },
  });

export const useProposalCounts = (importId: string, filter: ProposalFilter) =>
  useQuery({
    ...readOf('listProposals', { params: { id: importId }, query: { ...filter, limit: 0 } }),
    placeholderData: keepPreviousData,
    // Like the pages, a later visit begins with the open proposals.
    staleTime: 0,
    refetchOnMount: 'always',
  });

export const useFieldProposals = (importId: string, { row, field }: { row: number; field: string }) =>
  useQuery(readOf('listProposals', { params: { id: importId }, query: { row, field } }));
