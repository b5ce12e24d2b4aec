import { useQuery } from '@tanstack/react-query';
import { pollMs } from '../../../api/polls.ts';
import { readOf } from '../../../api/read.ts';

export function useStoreMedian(): StoreMedian | null {
  const { median, currency } = useQuery(readOf('getStoreMedian')).data ?? {};
  return typeof median === 'number' ? { median, currency: currency ?? null } : null;
}

/** `currency` null: the store has not answered yet. */
export type StoreMedian = { median: number; currency: string | null };

/** `version` changes when the values may have changed. */
export function useValuesSample(importId: string, version: string) {
  const read = readOf('getValuesSample', { params: { id: importId } });
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, version],
    // Edits and picture checks change it. A failed read only hides additional remarks.
    staleTime: 0,
    retry: false,
  }).data;
}

export const useStoreBudget = () =>
  useQuery({ ...readOf('getStoreBudget'), staleTime: 0, refetchInterval: pollMs.storeBudget }).data?.budget;
