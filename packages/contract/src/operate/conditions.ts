import { z } from 'zod';
import { route } from '../route.ts';

const Condition = z.object({
  /** The id, which is a heading in docs/OPERATIONS.md. A string, because a newer server may have other conditions. */
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

/** Lists the conditions in effect, and those that ended within the last day. The latest come first. */
export const listConditions = route('listConditions', {
  reply: z.object({ conditions: z.array(Condition), ended: z.array(EndedCondition) }),
});
