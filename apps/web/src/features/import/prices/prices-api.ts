import { useQuery } from '@tanstack/react-query';
import { pollMs } from '../../../api/polls.ts';
import { readOf } from '../../../api/read.ts';

/** The median price of the connected store and its currency; null until it is known. */
export function useStoreMedian(): StoreMedian | null {
  const { median, currency } = useQuery(readOf('getStoreMedian')).data ?? {};
  return typeof median === 'number' ? { median, currency: currency ?? null } : null;
}

/** `currency`: null if the store has not answered yet. */
export type StoreMedian = { median: number; currency: string | null };

/** Prices and pictures of some of an import's rows. `version` changes when they may have changed. */
export function useValuesSample(importId: string, version: string) {
  const read = readOf('getValuesSample', { params: { id: importId } });
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, version],
    // Edits and checks of pictures change it. A failed read leaves out what is only said beside.
    staleTime: 0,
    retry: false,
  }).data;
}

/** The store's budget, followed while it is shown. */
export function useStoreBudget() {
  return useQuery({ ...readOf('getStoreBudget'), staleTime: 0, refetchInterval: pollMs.storeBudget }).data
    ?.budget;
}
