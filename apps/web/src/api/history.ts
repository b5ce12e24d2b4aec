import { listHistory } from '@draftshelf/contract/imports/history';
import { route } from '@draftshelf/contract/route';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { ShownImport } from './imports.ts';
import { freshMs, readOf } from './read.ts';

/** A final status, or '' for all; and a day or another prefix of the completion time, or '' for any. */
export type HistoryFilters = { status: string; date: string };

const readList = route({ ...listHistory, reply: z.array(ShownImport) });

/** The imports that have ended, read once per visit. */
export const historyRead = ({ status, date }: HistoryFilters) => {
  const query = { ...(status === '' ? {} : { status }), ...(date === '' ? {} : { date }) };
  const request = Object.keys(query).length === 0 ? {} : { query };
  return queryOptions({ ...readOf(readList, request), staleTime: freshMs });
};

export function useHistory(filters: HistoryFilters) {
  return useQuery({ ...historyRead(filters), placeholderData: keepPreviousData });
}
