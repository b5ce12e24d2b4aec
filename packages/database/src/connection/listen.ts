import pg from 'pg';

export type Listener = { close(): Promise<void> };

const reconnectMs = 1000;

/**
 * Listens on one Postgres channel with one connection of its own, and connects again for as long as it is not
 * closed. `onNotify` gets the payload; `onProblem` hears of a lost connection. What is announced while the
 * connection is away is missed, so a listener must also look by itself from time to time.
 */
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

  const again = (error: Error) => {
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
    next.on('error', (error) => client === next && again(error));
    next.on('end', () => client === next && again(new Error('The listening connection ended')));
    next
      .connect()
      .then(() => next.query(`listen ${pg.escapeIdentifier(options.channel)}`))
      .catch((error: Error) => client === next && again(error));
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
