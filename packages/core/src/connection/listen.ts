import type { TaskHost } from '@draftshelf/domain/work/task-catalog';
import pg from 'pg';

/** The channel of notifications. Payload: a stage with new chunks, or a kind of process with new background tasks. */
export const chunksChannel = 'draftshelf_chunks';

const reconnectMs = 1000;

/**
 * Calls `onWork` with each stage or kind of process that has new work, and reconnects until closed. Notifications are
 * lost while the connection is down, so callers also poll. The connection's name contains `kind`.
 */
export function listenForWork(
  kind: TaskHost,
  { databaseUrl, logger }: { databaseUrl: string; logger: { warn(fields: object, message: string): void } },
  onWork: (name: string) => void,
): { close(): Promise<void> } {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const reconnect = (error: Error) => {
    const lost = client;
    client = undefined;
    if (closed || !lost) return;
    logger.warn({ err: error }, 'The LISTEN connection was lost');
    lost.end().catch(() => {});
    timer = setTimeout(connect, reconnectMs);
  };

  const connect = () => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: `draftshelf-${kind.replace('-worker', '')}-listen`,
      keepAlive: true,
    });
    client = next;
    next.on('notification', (message) => onWork(message.payload ?? ''));
    next.on('error', (error) => client === next && reconnect(error));
    next.on('end', () => client === next && reconnect(new Error('The LISTEN connection ended')));
    next
      .connect()
      .then(() => next.query(`listen ${pg.escapeIdentifier(chunksChannel)}`))
      .catch((error: Error) => client === next && reconnect(error));
  };
  connect();

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}
