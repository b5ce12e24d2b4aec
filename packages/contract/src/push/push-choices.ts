import { choiceAbouts, pushChoices } from '@draftshelf/domain/push/push-choices';
import { z } from 'zod';
import { ImportParams } from '../imports/imports.ts';
import { route } from '../route.ts';

const count = z.number().int();

/**
 * Decides about one product of the current plan, or about all that wait for the same decision. `choice`: null takes it
 * back. Products that do not allow the choice are left as they are. 409 without a plan that is ready, or if the file
 * was read again since. `more`: so many were decided, and there are more; call it again.
 */
export const makeChoices = route('makeChoices', {
  params: ImportParams,
  body: z.object({
    about: z.enum(choiceAbouts),
    choice: z.enum(pushChoices).nullable(),
    /** Its number in the plan; absent: all products that wait for this decision. */
    product: count.min(0).max(2_147_483_647).optional(),
  }),
  reply: z.object({ decided: count, more: z.boolean() }),
});

/** Filters of the products of a plan. */
export const decisionFilters = {
  about: z.enum(choiceAbouts).optional(),
  /** Only those that wait for a decision. */
  open: z.literal('true').optional(),
};

/** What a line of a plan says about its decision. Spread into the line. */
export const lineChoices = {
  /** What is to be decided; null: nothing. Not the code if an earlier choice is outdated. */
  about: z.enum(choiceAbouts).nullable(),
  /** The choices that this product allows. */
  choices: z.array(z.enum(pushChoices)),
  /** The choice that was made and is still valid. */
  choice: z.enum(pushChoices).nullable(),
  /** The choice that it was planned with: with another one, its outcome is another one now. */
  plannedChoice: z.enum(pushChoices).nullable(),
};

/** What a plan says about decisions. Spread into the plan. */
export const planDecisions = {
  /** Products that wait for a decision. */
  needDecision: count,
  /** Products that have a choice. */
  decided: count,
  /** Products that were planned with another choice: the sums do not count them as they are now. */
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
