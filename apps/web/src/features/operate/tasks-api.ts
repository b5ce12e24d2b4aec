import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';

const pollMs = 5_000;

/** Work in the background, polled while it is shown. */
export const useTasks = () => useQuery({ ...readOf('listTasks', {}), refetchInterval: pollMs });

/** What is done about a failed task. */
export type TaskAction = { kind: 'retry' | 'giveUp'; id: number };

/** Retries a failed task, or gives it up. The list is read again, also after a refusal: it was out of date. */
export function useTaskAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, id }: TaskAction) =>
      call(kind === 'retry' ? 'retryTask' : 'giveTaskUp', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: readKey('listTasks') }),
  });
}
