import { getWorkers } from '@draftshelf/contract/workers';
import { useQuery } from '@tanstack/react-query';
import { readOf } from './read.ts';

const pollMs = 5000;

/** Whether no push worker is running. It is asked while `isNeeded`; false: one is, or that is not known. */
export function useNoPushWorker(isNeeded: boolean): boolean {
  const reading = useQuery({ ...readOf(getWorkers), enabled: isNeeded, refetchInterval: pollMs });
  return isNeeded && reading.data?.pushWorkers === 0;
}
