import { useQuery } from '@tanstack/react-query';
import { CallError, call, type Reply } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { freshMs, readOf } from '../../api/read.ts';

const readyRead = () => ({
  ...readOf('ready'),
  staleTime: 0,
  // A server that is not ready says so with status 503 and the same body.
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    try {
      return await call('ready', { signal });
    } catch (error) {
      const body = error instanceof CallError ? error.body : undefined;
      if (typeof body === 'object' && body !== null && 'ready' in body) return body as Reply<'ready'>;
      throw error;
    }
  },
});

/** Whether the services of the server respond. */
export function useReady() {
  return useQuery(readyRead());
}

/** The fields that a column can be mapped to, with the header names that mean them. */
export function useFields() {
  return useQuery(readOf('listFields'));
}

/** The conditions of the installation that somebody should look after. */
export function useConditions() {
  return useQuery({ ...readOf('listConditions'), staleTime: freshMs, refetchInterval: pollMs.conditions });
}

/** Whether no push worker is running. It is asked while `isNeeded`; false: one is, or the last answer is missing. */
export function useNoPushWorker(isNeeded: boolean): boolean {
  const reading = useQuery({ ...readOf('getWorkers'), enabled: isNeeded, refetchInterval: pollMs.workers });
  return isNeeded && saysNone(reading);
}

type Reading = { isError: boolean; data: Reply<'getWorkers'> | undefined };

/** Whether the last answer is that no push worker is running. After a failure the data is that of an earlier one. */
export const saysNone = ({ isError, data }: Reading): boolean => !isError && data?.pushWorkers === 0;
