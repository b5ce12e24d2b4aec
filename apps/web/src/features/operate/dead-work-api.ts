import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
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

/** Retries dead work, or gives it up. The list is read again, also after a refusal: it was out of date. */
export function useDeadWorkAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: readKey('listDeadWork') }),
  });
}
