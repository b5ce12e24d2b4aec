import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { useQuery } from '@tanstack/react-query';
import { pollMs } from '../../api/polls.ts';
import { freshMs, readOf } from '../../api/read.ts';
import { useToast } from '../../ui/feedback/toast.tsx';

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
