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
  /** When the one that has waited for longest was due, and what it waits for, as a sentence. */
  waitsSince: z.iso.datetime().nullable(),
  waitingFor: z.string().nullable(),
  /** How much was added and has ended within the last minute; null: it repeats, and nothing counts that. */
  begun: z.number().int().nullable(),
  ended: z.number().int().nullable(),
  /** When it runs next; and after how many seconds again, if that is less than a minute and it is on time. */
  dueAt: z.iso.datetime().nullable(),
  everySeconds: z.number().int().nullable(),
});
export type WorkKind = z.infer<typeof WorkKind>;

/** What failed for good for one cause, over all imports and tasks. */
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
  last: z.iso.datetime().nullable(),
  /** How many imports and tasks a retry of all tries again, and how many were tried too often for that. */
  canRetry: z.number().int(),
  wornOut: z.number().int(),
  /** The newest imports. */
  files: z.array(z.object({ importId: z.uuid(), filename: z.string() })),
});
export type FailedCause = z.infer<typeof FailedCause>;

/** What runs, waits and has failed, by kind and by cause. */
export const listWork = route('listWork', {
  reply: z.object({ kinds: z.array(WorkKind), causes: z.array(FailedCause) }),
});

const OfCause = z.object({ cause: z.string().max(1000) });
const Done = z.object({ success: z.literal(true), message: z.string() });

/** Retries what failed for a cause, at most 1,000 imports. */
export const retryCause = route('retryCause', { body: OfCause, reply: Done });

/** Gives up what failed for a cause, at most 1,000 imports. */
export const giveUpCause = route('giveUpCause', { body: OfCause, reply: Done });
