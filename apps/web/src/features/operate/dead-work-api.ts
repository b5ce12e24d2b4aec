import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assume } from '../../api/assume.ts';
import { call, type Reply } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';

const pollMs = 5_000;

/** A page of dead chunks and tasks, polled while it is shown. `before`: the last id of the page before. */
export function useDeadWork(before: number | undefined) {
  const query = before === undefined ? {} : { before };
  return useQuery({
    ...readOf('listDeadWork', { query }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}

/** What is done about dead work: of an import, or of one of its tasks. */
export type DeadWorkAction =
  | { kind: 'retry'; importId: string }
  | { kind: 'giveUp'; importId: string }
  | { kind: 'giveUpTask'; importId: string; task: number };

const send = (action: DeadWorkAction) => {
  const { importId } = action;
  if (action.kind === 'retry') return call('retryDeadWork', { params: { importId } });
  if (action.kind === 'giveUp') return call('giveUpImport', { params: { importId } });
  return call('giveUpTask', { params: { importId, task: action.task } });
};

/** Whether an action ends a part of the list: what a retry would not try again stays. */
function isMeant(item: DeadWork, action: DeadWorkAction): boolean {
  if (action.kind === 'giveUpTask') return item.isTask && item.id === action.task;
  return item.importId === action.importId && (action.kind === 'giveUp' || item.canRetry);
}

/** Retries dead work, or gives it up. The list is read again, also after a refusal: it was out of date. */
export function useDeadWorkAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onMutate: (action) =>
      assume<Reply<'listDeadWork'>>(client, { queryKey: readKey('listDeadWork') }, (page) => {
        const items = page.items.filter((item) => !isMeant(item, action));
        return { ...page, items, total: page.total - (page.items.length - items.length) };
      }),
    onError: (_error, _action, takeBack) => takeBack?.(),
    onSettled: () => client.invalidateQueries({ queryKey: readKey('listDeadWork') }),
  });
}
