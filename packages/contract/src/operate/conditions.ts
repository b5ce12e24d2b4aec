import { z } from 'zod';
import { route } from '../route.ts';

/** A condition of the installation that somebody should look after. */
const Condition = z.object({
  /** A condition's id, and its heading in docs/OPERATIONS.md. It is a string: a newer server may know others. */
  id: z.string(),
  sentence: z.string(),
  /** What to do first. */
  todo: z.string(),
  /** What was found, as a sentence; null if there is nothing to add. */
  detail: z.string().nullable(),
  since: z.iso.datetime(),
});
export type Condition = z.infer<typeof Condition>;

/** A condition that was in effect. */
const EndedCondition = Condition.pick({ id: true, sentence: true, detail: true }).extend({
  endedAt: z.iso.datetime(),
});
export type EndedCondition = z.infer<typeof EndedCondition>;

/** The conditions that are in effect, and those that ended within a day and are not; the latest first. */
export const listConditions = route('listConditions', {
  reply: z.object({ conditions: z.array(Condition), ended: z.array(EndedCondition) }),
});
