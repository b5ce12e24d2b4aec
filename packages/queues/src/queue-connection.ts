/** The backend of BullMQ: Redis if a URL is configured, else the Postgres database. */
export type QueueConnection =
  | { backend: 'redis'; url: string }
  /** `poolMax`: 2 by default. 1 is enough for a queue that has few jobs or is only inspected. */
  | { backend: 'postgres'; connectionString: string; poolMax?: number };

export function chooseQueueConnection(options: {
  databaseUrl: string;
  redisUrl?: string | undefined;
}): QueueConnection {
  return options.redisUrl
    ? { backend: 'redis', url: options.redisUrl }
    : { backend: 'postgres', connectionString: options.databaseUrl };
}
