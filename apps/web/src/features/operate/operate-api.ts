import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { useQuery } from '@tanstack/react-query';
import { CallError, call, type Reply } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { freshMs, readOf } from '../../api/read.ts';
import { useToast } from '../../ui/feedback/toast.tsx';

const readyRead = () => ({
  ...readOf('ready'),
  staleTime: 0,
  // A server that is not ready replies with status 503 and the same body.
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

export function useReady() {
  return useQuery(readyRead());
}

export function useFields() {
  return useQuery(readOf('listFields'));
}

export function useConditions() {
  return useQuery({ ...readOf('listConditions'), staleTime: freshMs, refetchInterval: pollMs.conditions });
}

/** False also while the answer is missing. */
export function useNoPushWorker(isNeeded: boolean): boolean {
  const reading = useQuery({ ...readOf('getWorkers'), enabled: isNeeded, refetchInterval: pollMs.workers });
  return isNeeded && saysNone(reading);
}

type Reading = { isError: boolean; data: Reply<'getWorkers'> | undefined };

/** After a failure the data is older. */
export const saysNone = ({ isError, data }: Reading): boolean => !isError && data?.pushWorkers === 0;

export const useWork = () =>
  useQuery({ ...readOf('listWork', {}), staleTime: freshMs, refetchInterval: pollMs.work });

export type DeadImport = {
  importId: string;
  filename: string;
  items: DeadWork[];
  canRetry: boolean;
  /** It has dead chunks, not only tasks, so giving up cancels it. */
  canCancel: boolean;
};

/** In the order of each import's first item. */
export function groupByImport(items: readonly DeadWork[]): DeadImport[] {
  const groups = Map.groupBy(items, ({ importId }) => importId);
  return [...groups].map(([importId, own]) => ({
    importId,
    filename: own[0]?.filename ?? '',
    items: own,
    canRetry: own.some(({ canRetry }) => canRetry),
    canCancel: own.some(({ isTask }) => !isTask),
  }));
}

type Action = { kind: string };

export function useTold() {
  const toast = useToast();
  return {
    failed: (_error: Error, { kind }: Action) => ({
      title: kind === 'retry' ? 'Couldn’t retry' : 'Couldn’t give up',
    }),
    onSuccess: ({ message }: { message: string }, { kind }: Action) => {
      toast({ title: kind === 'retry' ? 'Retrying' : 'Given up', text: message });
    },
  };
}
