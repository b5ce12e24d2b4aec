import type { Task } from '@draftshelf/contract/imports/imports';
import type { TaskRecord } from '@draftshelf/core/work/tasks';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';

/** A task as the screens show it. */
export function toTask({ id, task, command, state, done, total, waiting_for, error }: TaskRecord): Task {
  return {
    id,
    label: task === null ? '' : taskLabel(task),
    command,
    state: state === 'dead' ? 'failed' : state === 'published' ? 'running' : 'waiting',
    done,
    total,
    waitingFor: state === 'pending' ? waiting_for : null,
    error: state === 'dead' ? error : null,
  };
}
