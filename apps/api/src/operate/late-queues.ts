import { queueNames } from '@draftshelf/domain/work/task-catalog';
import { type createQueue, pingQueue } from '@draftshelf/queues/connection';
import type { QueueConnection } from '@draftshelf/queues/queue-connection';
import type { Logger } from '@draftshelf/runtime/logger';

type Queue = ReturnType<typeof createQueue>;

export type LazyQueues = () => Promise<readonly Queue[]>;

/** Opens the queues on first use: their library takes 15 MB. Workers use it too, so its compiled code is cached. */
export function openQueuesLazily(connection: QueueConnection, logger: Logger) {
  let opening: Promise<readonly Queue[]> | undefined;
  const open = async () => {
    const { createQueue } = await import('@draftshelf/queues/connection');
    const few = { ...connection, poolMax: 1 };
    return queueNames.map((name) => {
      const queue = createQueue(few, name);
      queue.on('error', (err) => logger.warn({ err, queue: name }, 'the queue reports a problem'));
      return queue;
    });
  };
  const queues: LazyQueues = () => {
    opening ??= open();
    return opening;
  };
  return {
    queues,
    /** Pings one queue for all, because the queues share a backend and each would open a connection. */
    ping: async () => {
      const [first] = await queues();
      if (first) await pingQueue(first);
    },
    close: async () => void (await Promise.all(((await opening) ?? []).map((queue) => queue.close()))),
  };
}
