import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { useQuery } from '@tanstack/react-query';
import { showChange } from '../../api/assume.ts';
import { CallError, call, freshMs, pollMs, type Reply, readOf, toCacheKey } from '../../api/call.ts';
import { useCalls } from '../../ui/feedback/use-call.ts';

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

export const useReadiness = () => useQuery(readyRead());

export const useFields = () => useQuery(readOf('listFields'));

export const useConditions = () =>
  useQuery({ ...readOf('listConditions'), staleTime: freshMs, refetchInterval: pollMs.conditions });

/** Returns whether there is no push worker; false until the server has answered. */
export function useNoPushWorker(isNeeded: boolean): boolean {
  const reading = useQuery({ ...readOf('getWorkers'), enabled: isNeeded, refetchInterval: pollMs.workers });
  return isNeeded && hasNoPushWorker(reading);
}

type Reading = { isError: boolean; data: Reply<'getWorkers'> | undefined };

/** Returns false after a failed read, because the number of workers is then unknown. */
export const hasNoPushWorker = ({ isError, data }: Reading): boolean => !isError && data?.pushWorkers === 0;

export const useBackgroundWork = () =>
  useQuery({ ...readOf('listWork', {}), staleTime: freshMs, refetchInterval: pollMs.work });

export type DeadImport = {
  importId: string;
  filename: string;
  items: DeadWork[];
  canRetry: boolean;
  /** Whether giving up cancels the import. It does if a chunk is dead, but not if only tasks are. */
  canCancel: boolean;
};

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

/** An action on all failures that have one cause, on the failures of one import, or on one task. */
export type FailureAction =
  | { kind: 'retry' | 'giveUp'; cause: string }
  | { kind: 'retry' | 'giveUp'; importId: string; task?: number };

function send(action: FailureAction) {
  const isRetry = action.kind === 'retry';
  if ('cause' in action) {
    return call(isRetry ? 'retryCause' : 'giveUpCause', { body: { cause: action.cause } });
  }
  const { importId, task } = action;
  if (task !== undefined) return call('giveUpTask', { params: { importId, task } });
  return call(isRetry ? 'retryDeadWork' : 'giveUpImport', { params: { importId } });
}

/** Whether an action on an import or a task removes `item` from the list. A retry keeps items without `canRetry`. */
function isMeant(item: DeadWork, action: FailureAction): boolean {
  if ('cause' in action) return false;
  if (action.task !== undefined) return item.isTask && item.id === action.task;
  return item.importId === action.importId && (action.kind === 'giveUp' || item.canRetry);
}

export const useFailureAction = () =>
  useCalls(send, () => [{ name: 'retryDeadWork' }], {
    failed: (_error, { kind }) => ({ title: kind === 'retry' ? 'Couldn’t retry' : 'Couldn’t give up' }),
    done: ({ message }, { kind }) => ({ title: kind === 'retry' ? 'Retrying' : 'Given up', text: message }),
    assume: (client, action) =>
      showChange<Reply<'listDeadWork'>>(client, { queryKey: toCacheKey('listDeadWork') }, (page) => {
        const items = page.items.filter((item) => !isMeant(item, action));
        return { ...page, items, total: page.total - (page.items.length - items.length) };
      }),
  });
