import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply } from '../values.ts';

const DeadWork = z.object({
  id: z.number().int(),
  importId: z.uuid(),
  filename: z.string(),
  stage: z.string(),
  /** A label such as 'Rows 1–500' or 'Removing old rows'. */
  part: z.string(),
  isTask: z.boolean(),
  attempts: z.number().int(),
  cause: z.string(),
  technical: z.string().nullable(),
  at: z.iso.datetime().nullable(),
  canRetry: z.boolean(),
  /** The loss if the task is given up, as a sentence. Null if the task cannot be given up. */
  without: z.string().nullable(),
});
export type DeadWork = z.infer<typeof DeadWork>;

export const deadWorkPerPage = 50;

/** Lists dead chunks and tasks, of one `cause` or of all, newest first. `before`: the last id of the previous page. */
export const listDeadWork = route('listDeadWork', {
  query: z.object({
    cause: z.string().max(1000).optional(),
    before: z.coerce.number().int().min(1).optional(),
  }),
  reply: z.object({
    items: z.array(DeadWork),
    /** Number of entries on all pages. A lower bound if `isMore` is true. */
    total: z.number().int(),
    isMore: z.boolean(),
    next: z.number().int().nullable(),
  }),
});
export type DeadWorkPage = z.infer<(typeof listDeadWork)['reply']>;

const OfImport = z.object({ importId: z.uuid() });

export const retryDeadWork = route('retryDeadWork', {
  params: OfImport,
  reply: SuccessReply,
});

export const giveUpImport = route('giveUpImport', {
  params: OfImport,
  reply: SuccessReply,
});

export const giveUpTask = route('giveUpTask', {
  params: OfImport.extend({ task: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  reply: SuccessReply,
});
