import type { PlanRecord } from '@draftshelf/core/connection/schema';
import type { TaskRecord } from '@draftshelf/core/work/tasks';

type Made = Pick<PlanRecord, 'previewed_at' | 'problem'>;

/** `task`: makes the preview; `running`: its state meanwhile. `planned`: its number of products when it failed. */
export function previewState<Running extends string>(
  { previewed_at, problem }: Made,
  task: TaskRecord | undefined,
  { running, total, planned }: { running: Running; total: number; planned: number },
): { state: Running | 'ready' | 'failed' | 'stopped'; message: string | null; done: number; total: number } {
  if (previewed_at !== null) return { state: 'ready', message: null, done: total, total };
  if (problem !== null) return { state: 'failed', message: problem, done: planned, total };
  if (!task) return { state: 'stopped', message: null, done: 0, total };
  const { done } = task;
  if (task.state === 'dead') return { state: 'failed', message: task.error, done, total };
  return { state: running, message: task.state === 'pending' ? task.waiting_for : null, done, total };
}
