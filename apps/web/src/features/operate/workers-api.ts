import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';

const pollMs = 5000;

/** Whether no push worker is running. It is asked while `isNeeded`; false: one is, or the last answer is missing. */
export function useNoPushWorker(isNeeded: boolean): boolean {
  const reading = useQuery({ ...readOf('getWorkers'), enabled: isNeeded, refetchInterval: pollMs });
  return isNeeded && saysNone(reading);
}

type Reading = { isError: boolean; data: Reply<'getWorkers'> | undefined };

/** Whether the last answer is that no push worker is running. After a failure the data is that of an earlier one. */
export const saysNone = ({ isError, data }: Reading): boolean => !isError && data?.pushWorkers === 0;
