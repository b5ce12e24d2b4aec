import { z } from 'zod';
import { route } from '../route.ts';

/** Work of one kind: of imports, or of the installation and what else is no import. */
const WorkKind = z.object({
  /** A key of the list. */
  kind: z.string(),
  label: z.string(),
  /** What else than the installation and imports it belongs to, as words. */
  subject: z.string().nullable(),
  running: z.number().int(),
  waiting: z.number().int(),
  /** When the oldest of the waiting was made or due, and what it waits for or why it failed, as a sentence. */
  oldestAt: z.iso.datetime().nullable(),
  waitingFor: z.string().nullable(),
  /** Added and done within the last minute; null: it repeats, and nothing counts that. */
  added: z.number().int().nullable(),
  done: z.number().int().nullable(),
  /** When it runs next; and after how many seconds again, if that is less than a minute and it is on time. */
  dueAt: z.iso.datetime().nullable(),
  everySeconds: z.number().int().nullable(),
});
export type WorkKind = z.infer<typeof WorkKind>;

/** Failures of all imports and tasks that have one cause. */
const FailedCause = z.object({
  /** The cause's code. */
  cause: z.string(),
  /** Why, as a sentence, and the technical cause if that says more. */
  sentence: z.string(),
  technical: z.string().nullable(),
  /** The kinds of work that failed, as words. */
  kinds: z.array(z.string()),
  /** Chunks, tasks, and imports whose stage could not continue. */
  parts: z.number().int(),
  /** Those of the parts that the list of failed work has. */
  chunks: z.number().int(),
  imports: z.number().int(),
  since: z.iso.datetime().nullable(),
  /** Parts of stages have failed: to give them up cancels their imports. */
  hasParts: z.boolean(),
  /** What is missing once its tasks are given up, as sentences. */
  without: z.array(z.string()),
  /** How many imports and tasks a retry of all tries again, and how many were tried too often for that. */
  canRetry: z.number().int(),
  wornOut: z.number().int(),
  /** The newest imports. */
  files: z.array(z.object({ importId: z.uuid(), filename: z.string() })),
});
export type FailedCause = z.infer<typeof FailedCause>;

/** Lists work by kind, and failures by cause. */
export const listWork = route('listWork', {
  /** `hasMore`: there are more causes. */
  reply: z.object({ kinds: z.array(WorkKind), causes: z.array(FailedCause), hasMore: z.boolean() }),
});

const OfCause = z.object({ cause: z.string().max(1000) });
const Done = z.object({ success: z.literal(true), message: z.string() });

/** Retries what failed for a cause, at most 1,000 imports. */
export const retryCause = route('retryCause', { body: OfCause, reply: Done });

/** Gives up what failed for a cause, at most 1,000 imports. */
export const giveUpCause = route('giveUpCause', { body: OfCause, reply: Done });
