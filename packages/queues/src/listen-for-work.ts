import { listen } from '@draftshelf/core/connection/listen';
import { chunksChannel } from '@draftshelf/core/work/notify-chunks';
import type { TaskPlace } from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';

/**
 * Calls `onWork` with each stage, or kind of process, that has new work.
 *
 * @param kind of this process, to name its connection
 */
export const listenForWork = (
  kind: TaskPlace,
  { databaseUrl, logger }: { databaseUrl: string; logger: Logger },
  onWork: (name: string) => void,
) =>
  listen({
    connectionString: databaseUrl,
    applicationName: `draftshelf-${kind.replace('-worker', '')}-listen`,
    channel: chunksChannel,
    onNotify: onWork,
    onProblem: (error) => logger.warn({ err: error }, 'The LISTEN connection was lost'),
  });
