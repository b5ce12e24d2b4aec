import pg from 'pg';

export type Listener = { close(): Promise<void> };

const reconnectMs = 1000;

/** Listens on a Postgres channel, reconnecting until closed. Missed notifications are lost: poll from time to time. */
export function listen(options: {
  connectionString: string;
  applicationName: string;
  channel: string;
  onNotify: (payload: string) => void;
  onProblem: (error: Error) => void;
}): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const reconnect = (error: Error) => {
    const lost = client;
    client = undefined;
    if (closed || !lost) return;
    options.onProblem(error);
    lost.end().catch(() => {});
    timer = setTimeout(connect, reconnectMs);
  };

  const connect = () => {
    const next = new pg.Client({
      connectionString: options.connectionString,
      application_name: options.applicationName,
      keepAlive: true,
    });
    client = next;
    next.on('notification', (message) => options.onNotify(message.payload ?? ''));
    next.on('error', (error) => client === next && reconnect(error));
    next.on('end', () => client === next && reconnect(new Error('The LISTEN connection ended')));
    next
      .connect()
      .then(() => next.query(`listen ${pg.escapeIdentifier(options.channel)}`))
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
