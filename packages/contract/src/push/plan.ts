import { outcomes } from '@draftshelf/domain/imports/outcome';
import { Difference } from '@draftshelf/domain/push/line-facts-schema';
import { choiceAbouts, pushChoices } from '@draftshelf/domain/push/push-choices';
import { deviations } from '@draftshelf/domain/push/push-plan';
import { z } from 'zod';
import { Moved } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count } from '../values.ts';

const ProductNumber = z.coerce.number().int().min(0).max(2_147_483_647);

/**
 * Begins to plan the push: 202, or 409 without a store or with what must end first. Replaces the earlier plan, even one
 * in progress.
 * `unasked`: begins only if there is no current plan, it takes little and nothing speaks against it; else 200.
 */
export const beginPlan = route('beginPlan', {
  query: z.object({ unasked: z.literal('true').optional() }),
  reply: Moved,
});

/** stopped: a push began first. failed: the store is not connected, or refuses. */
export const planStates = ['none', 'running', 'ready', 'stopped', 'failed'] as const;

/** Sums grow while the plan is made. */
export const Plan = z.object({
  state: z.enum(planStates),
  message: z.string().nullable(),
  done: count,
  total: count,
  sums: z.array(z.object({ outcome: z.enum(outcomes), code: z.string().nullable(), products: count })),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  points: count,
  /** When the copy of the store was last complete; null: never. */
  copiedAt: z.iso.datetime().nullable(),
  /** Why the plan may be wrong by now. `editedRows`: rows edited since it or, if there is `push`, since a push. */
  outdated: z.object({ rows: z.boolean(), settings: z.boolean(), store: z.boolean(), editedRows: count }),
  /** Null while no store has answered. */
  estimate: z.object({ points: count, seconds: count }).nullable(),
  push: z
    .object({
      run: count,
      isLast: z.boolean(),
      isUndone: z.boolean(),
      asPlanned: count,
      otherwise: z.array(z.object({ reason: z.enum(deviations), products: count })),
    })
    .nullable(),
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
});
export type Plan = z.infer<typeof Plan>;

export const getPlan = route('getPlan', {
  reply: Plan,
});

export const planPageSize = 50;

/** `changes`: the largest differences; a long value is null on both sides. `moreChanges`: how many more there are. */
const PlannedProduct = z.object({
  product: count,
  title: z.string().nullable(),
  sku: z.string().nullable(),
  outcome: z.enum(outcomes),
  code: z.string().nullable(),
  message: z.string().nullable(),
  parts: z.array(z.string()),
  changes: z.array(Difference),
  moreChanges: count,
  storeUrl: z.string().nullable(),
  edited: z.boolean(),
  otherwise: z.enum(deviations).nullable(),
  /** The decision to make; not the code if an earlier choice is outdated. */
  about: z.enum(choiceAbouts).nullable(),
  choices: z.array(z.enum(pushChoices)),
  choice: z.enum(pushChoices).nullable(),
  /** Choice at the time of the plan; the outcome differs if it is another one now. */
  plannedChoice: z.enum(pushChoices).nullable(),
});
export type PlannedProduct = z.infer<typeof PlannedProduct>;

/** The largest change first. `from`: all in the order of products, from this one on; nothing else applies. */
export const listPlannedProducts = route('listPlannedProducts', {
  query: z.object({
    action: z.enum(outcomes).optional(),
    code: z.string().max(40).optional(),
    otherwise: z.enum(['true', ...deviations]).optional(),
    about: z.enum(choiceAbouts).optional(),
    open: z.literal('true').optional(),
    after: ProductNumber.optional(),
    from: ProductNumber.optional(),
  }),
  reply: z.object({ products: z.array(PlannedProduct), next: count.nullable() }),
});

const Image = z.object({ url: z.string().nullable(), alt: z.string().nullable() });

/** Differences of a product between store and push. `sent`: the push sends them. 404 if it is not in the plan. */
export const getPlannedProduct = route('getPlannedProduct', {
  params: z.object({ product: ProductNumber }),
  reply: PlannedProduct.extend({
    sent: z.boolean(),
    differences: z.array(Difference),
    asked: z.array(Difference),
    images: z.object({ store: z.array(Image), push: z.array(Image) }),
  }),
});

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

/** The lines of a plan as CSV, streamed. 409 without a plan, or if the file was read again since. */
export const getPlanCsv = route('getPlanCsv', {
  reply: z.string(),
});
