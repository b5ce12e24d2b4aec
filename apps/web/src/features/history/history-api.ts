import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { fullImport } from '../../api/bare-replies.ts';
import { freshMs, readOf } from '../../api/read.ts';

/** A final status, or '' for all; and a day or another prefix of the completion time, or '' for any. */
export type HistoryFilters = { status: string; date: string };

/** The imports that have ended, read once per visit. */
export const historyRead = ({ status, date }: HistoryFilters) => {
  const query = { ...(status === '' ? {} : { status }), ...(date === '' ? {} : { date }) };
  const request = Object.keys(query).length === 0 ? {} : { query };
  return queryOptions({
    ...readOf('listHistory', request, (reply) => reply.map(fullImport)),
    staleTime: freshMs,
  });
};

export function useHistory(filters: HistoryFilters) {
  return useQuery({ ...historyRead(filters), placeholderData: keepPreviousData });
}
