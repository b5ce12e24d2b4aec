import { z } from 'zod';
import { route } from '../route.ts';

/** Work in the background that runs, waits or has failed. */
const BackgroundTask = z.object({
  id: z.number().int(),
  label: z.string(),
  /** What it belongs to, as words; null: the installation. */
  subject: z.string().nullable(),
  /** The import it belongs to; retry and give-up of those are the calls of dead work. */
  importId: z.uuid().nullable(),
  state: z.enum(['running', 'waiting', 'failed']),
  /** When it runs next, if that is known and not within seconds. */
  dueAt: z.iso.datetime().nullable(),
  /** How many seconds after each run it runs again, if that is less than a minute and it is on time. */
  everySeconds: z.number().int().nullable(),
  waitingFor: z.string().nullable(),
  /** Why its last attempt failed. */
  error: z.string().nullable(),
});
export type BackgroundTask = z.infer<typeof BackgroundTask>;

/** Tasks of all subjects, failed ones first. Failed tasks of imports are in the list of dead work. */
export const listTasks = route('listTasks', {
  reply: z.object({ tasks: z.array(BackgroundTask) }),
});

const OneTask = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });
const Done = z.object({ success: z.literal(true), message: z.string() });

/** Runs a task now whose last attempt failed. */
export const retryTask = route('retryTask', {
  params: OneTask,
  reply: Done,
});

/** Ends the attempts of a task: it runs at its next time, or once it is requested. */
export const giveTaskUp = route('giveTaskUp', {
  params: OneTask,
  reply: Done,
});
