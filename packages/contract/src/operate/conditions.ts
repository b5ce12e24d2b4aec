import { z } from 'zod';
import { route } from '../route.ts';

const Condition = z.object({
  /** Also its heading in docs/OPERATIONS.md. A string: a newer server may have others. */
  id: z.string(),
  sentence: z.string(),
  todo: z.string(),
  detail: z.string().nullable(),
  since: z.iso.datetime(),
});
export type Condition = z.infer<typeof Condition>;

const EndedCondition = Condition.pick({ id: true, sentence: true, detail: true }).extend({
  endedAt: z.iso.datetime(),
});
export type EndedCondition = z.infer<typeof EndedCondition>;

/** The conditions in effect, and those that ended within a day; the latest first. */
export const listConditions = route('listConditions', {
  reply: z.object({ conditions: z.array(Condition), ended: z.array(EndedCondition) }),
});
