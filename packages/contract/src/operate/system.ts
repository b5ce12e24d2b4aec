import { Settings } from '@draftshelf/domain/access/settings-schema';
import { z } from 'zod';
import { Connection } from '../access/connections.ts';
import { route } from '../route.ts';
import { Check } from './health.ts';

/** An api or worker that has reported itself within the last minute. */
const ProcessInfo = z.object({
  kind: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  /** How many chunks it works on at a time. */
  slots: z.number(),
  startedAt: z.iso.datetime(),
  /** Its latest heartbeat. */
  seenAt: z.iso.datetime(),
  live: z.boolean(),
  /** Why it does nothing yet, as a sentence; null: it works. */
  waitingFor: z.string().nullable().default(null),
});

export const SystemInfo = z.object({
  version: z.string(),
  node: z.string(),
  /** Of the api that replies. */
  startedAt: z.iso.datetime(),
  at: z.iso.datetime(),
  database: Check,
  storage: Check,
  sessions: Check,
  queue: Check,
  processes: z.array(ProcessInfo),
});
export type SystemInfo = z.infer<typeof SystemInfo>;

/** What runs and what answers, read now. */
export const systemInfo = route('systemInfo', { reply: SystemInfo });

/** Everything that helps to find a problem, without secrets and without contents of files. */
export const systemDebug = route('systemDebug', {
  reply: z.object({
    info: SystemInfo,
    limits: z.record(z.string(), z.number()),
    settings: Settings,
    connections: z.array(Connection),
    /** How many imports there are, by status. */
    imports: z.record(z.string(), z.number()),
    /** How many chunks there are, by stage, kind and state. */
    chunks: z.array(z.object({ stage: z.string(), kind: z.string(), state: z.string(), count: z.number() })),
    /** Jobs in the queue, by state; null if it does not answer. */
    queues: z.array(z.object({ name: z.string(), jobs: z.record(z.string(), z.number()).nullable() })),
    /** The imports that failed last, at most 20. */
    failures: z.array(
      z.object({ id: z.string(), stage: z.string(), message: z.string(), at: z.iso.datetime().nullable() }),
    ),
  }),
});

/** The workers without which full auto neither decides nor pushes. Screens poll it while they show such an import. */
export const getWorkers = route('getWorkers', {
  /** Push workers that are running. */
  reply: z.object({ pushWorkers: z.number().int().min(0) }),
});
