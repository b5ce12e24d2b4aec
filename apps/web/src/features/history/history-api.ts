import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { fullImport } from '../../api/bare-replies.ts';
import { freshMs, readOf } from '../../api/read.ts';

/** A final status, a day or another prefix of the completion time, and the id of a supplier; '' for any. */
export type HistoryFilters = { status: string; date: string; supplier: string };

/** The imports that have ended, read once per visit. */
export const historyRead = ({ status, date, supplier }: HistoryFilters) => {
  const given = Object.entries({ status, date, supplier }).filter(([, value]) => value !== '');
  const query = Object.fromEntries(given);
  const request = Object.keys(query).length === 0 ? {} : { query };
  return queryOptions({
    ...readOf('listHistory', request, (reply) =>
      reply.map((ended) => ({ undone: null, ...fullImport(ended) })),
    ),
    staleTime: freshMs,
  });
};

export function useHistory(filters: HistoryFilters) {
  return useQuery({ ...historyRead(filters), placeholderData: keepPreviousData });
}
