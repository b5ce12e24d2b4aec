import { Settings } from '@draftshelf/domain/access/settings-schema';
import { z } from 'zod';
import { Connection } from '../access/connections.ts';
import { route } from '../route.ts';
import { ServiceCheck } from './health.ts';

export const ProcessInfo = z.object({
  kind: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  slots: z.number(),
  startedAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  live: z.boolean(),
  waitingFor: z.string().nullable(),
});

export const SystemInfo = z.object({
  version: z.string(),
  node: z.string(),
  /** When the replying api process started. */
  startedAt: z.iso.datetime(),
  at: z.iso.datetime(),
  database: ServiceCheck,
  storage: ServiceCheck,
  sessions: ServiceCheck,
  queue: ServiceCheck,
  processes: z.array(ProcessInfo),
});
export type SystemInfo = z.infer<typeof SystemInfo>;

export const systemInfo = route('systemInfo', { reply: SystemInfo });

/** Returns diagnostics for a bug report, without secrets and file contents. */
export const systemDebug = route('systemDebug', {
  reply: z.object({
    info: SystemInfo,
    limits: z.record(z.string(), z.number()),
    settings: Settings,
    connections: z.array(Connection),
    imports: z.record(z.string(), z.number()),
    chunks: z.array(z.object({ stage: z.string(), kind: z.string(), state: z.string(), count: z.number() })),
    /** `jobs` is null if the queue does not answer. */
    queues: z.array(z.object({ name: z.string(), jobs: z.record(z.string(), z.number()).nullable() })),
    failures: z.array(
      z.object({ id: z.string(), stage: z.string(), message: z.string(), at: z.iso.datetime().nullable() }),
    ),
  }),
});

/** Counts live push workers. Without a live push worker, full auto neither decides nor pushes. */
export const getWorkers = route('getWorkers', {
  reply: z.object({ pushWorkers: z.number().int().min(0) }),
});
