import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply } from '../values.ts';

const WorkKind = z.object({
  kind: z.string(),
  label: z.string(),
  /** The name of the shop, folder or supplier that the work belongs to. Null for the installation and for imports. */
  subject: z.string().nullable(),
  running: z.number().int(),
  waiting: z.number().int(),
  oldestAt: z.iso.datetime().nullable(),
  waitingFor: z.string().nullable(),
  /** Numbers of chunks or tasks that were added, and that ended, within the last minute. Null for periodic work. */
  added: z.number().int().nullable(),
  done: z.number().int().nullable(),
  dueAt: z.iso.datetime().nullable(),
  everySeconds: z.number().int().nullable(),
});
export type WorkKind = z.infer<typeof WorkKind>;

const FailureCause = z.object({
  cause: z.string(),
  sentence: z.string(),
  technical: z.string().nullable(),
  kinds: z.array(z.string()),
  parts: z.number().int(),
  chunks: z.number().int(),
  imports: z.number().int(),
  since: z.iso.datetime().nullable(),
  /** Whether chunks of a stage failed for this cause. If so, giving up cancels the imports of these chunks. */
  hasParts: z.boolean(),
  without: z.array(z.string()),
  canRetry: z.number().int(),
  wornOut: z.number().int(),
  files: z.array(z.object({ importId: z.uuid(), filename: z.string() })),
});
export type FailureCause = z.infer<typeof FailureCause>;

export const listWork = route('listWork', {
  reply: z.object({ kinds: z.array(WorkKind), causes: z.array(FailureCause), hasMore: z.boolean() }),
});

const OfCause = z.object({ cause: z.string().max(1000) });
export const retryCause = route('retryCause', { body: OfCause, reply: SuccessReply });

export const giveUpCause = route('giveUpCause', { body: OfCause, reply: SuccessReply });
