import { choiceAbouts, pushChoices } from '@draftshelf/domain/push/push-choices';
import { z } from 'zod';
import { route } from '../route.ts';
import { count } from '../values.ts';

/**
 * Decides about one product of the current plan, or about all that wait for the same decision. `choice`: null takes it
 * back. Products that do not allow the choice are left as they are. 409 without a plan that is ready, or if the file
 * was read again since. `more`: so many were decided, and there are more; call it again.
 */
export const makeChoices = route('makeChoices', {
  body: z.object({
    about: z.enum(choiceAbouts),
    choice: z.enum(pushChoices).nullable(),
    /** Its number in the plan; absent: all products that wait for this decision. */
    product: count.min(0).max(2_147_483_647).optional(),
  }),
  reply: z.object({ decided: count, more: z.boolean() }),
});

export const decisionFilters = {
  about: z.enum(choiceAbouts).optional(),
  open: z.literal('true').optional(),
};

export const lineChoices = {
  /** The decision to make; not the code if an earlier choice is outdated. */
  about: z.enum(choiceAbouts).nullable(),
  choices: z.array(z.enum(pushChoices)),
  choice: z.enum(pushChoices).nullable(),
  /** Choice at the time of the plan; the outcome differs if it is another one now. */
  plannedChoice: z.enum(pushChoices).nullable(),
};

export const planDecisions = {
  needDecision: count,
  decided: count,
  /** Products with another choice since the plan, which the sums do not count as they are now. */
  decidedSince: count,
  /** By what is to be decided: `open` products wait for it; `allowed` of these allow a choice, `decided` have it. */
  decisions: z.array(
    z.object({
      about: z.enum(choiceAbouts),
      open: count,
      choices: z.array(z.object({ choice: z.enum(pushChoices), allowed: count, decided: count })),
    }),
  ),
};
