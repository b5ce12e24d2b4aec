/** Backend of BullMQ: Redis if there is a URL for it, else the Postgres database. */
export type QueueConnection =
  | { backend: 'redis'; url: string }
  /** `poolMax`: two by default. A queue with few jobs, or that is only inspected, needs one. */
  | { backend: 'postgres'; connectionString: string; poolMax?: number };

export function queueConnection(options: {
  databaseUrl: string;
  redisUrl?: string | undefined;
}): QueueConnection {
  return options.redisUrl
    ? { backend: 'redis', url: options.redisUrl }
    : { backend: 'postgres', connectionString: options.databaseUrl };
}
