import pg from 'pg';

/** A connection to Postgres, lent to one client of an actor after another. */
export type Backend = { client: pg.Client; pid: number; hasEnded: boolean; onEnd: () => void };

export type Backends = ReturnType<typeof createBackends>;

/**
 * Backends that are kept from client to client and from seed to seed: a new one spends most of its time on a log-in and
 * on its first look at each table. pg_stat_activity shows who has it, as if it were new (simulated-functions.ts).
 */
export function createBackends(connectionString: string) {
  const spare: Backend[] = [];
  const all = new Set<Backend>();
  /** Those that Postgres has ended. */
  let endedCount = 0;
  let onEnded = () => {};

  async function connect(): Promise<Backend> {
    // A statement and the clock before it are sent together.
    const client = new pg.Client({ connectionString, pipeline: true });
    client.on('error', () => {});
    await client.connect();
    const backend: Backend = { client, pid: pidOf(client), hasEnded: false, onEnd: () => {} };
    all.add(backend);
    client.once('end', () => {
      all.delete(backend);
      backend.hasEnded = true;
      endedCount += 1;
      backend.onEnd();
      onEnded();
    });
    return backend;
  }

  return {
    endedCount: () => endedCount,
    /** Waits until so many in all have ended. */
    async waitForEnded(count: number): Promise<void> {
      while (endedCount < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onEnded = resolve;
        await promise;
      }
    },
    /** `owner`: an actor and the number of its client, as pg_stat_activity shows them. */
    async lend(owner: string): Promise<Backend> {
      const backend = spare.pop() ?? (await connect());
      await backend.client.query(`set application_name = '${owner}'`);
      return backend;
    },
    /** Ends what the client has begun: for others, its backend has ended. */
    async takeBack(backend: Backend): Promise<void> {
      backend.onEnd = () => {};
      if (backend.hasEnded) return;
      await backend.client.query('rollback; reset all');
      spare.push(backend);
    },
    close: () => Promise.all([...all].map(({ client }) => client.end())),
  };
}

const pidOf = (client: pg.Client) => (client as unknown as { processID: number }).processID;
