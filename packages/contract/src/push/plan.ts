import { outcomes } from '@draftshelf/domain/imports/outcome';
import { Difference } from '@draftshelf/domain/push/line-facts-schema';
import { choiceSubjects, pushChoices } from '@draftshelf/domain/push/push-choices';
import { deviations } from '@draftshelf/domain/push/push-plan';
import { z } from 'zod';
import { ChangedJobReply } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count } from '../values.ts';

const ProductNumber = z.coerce.number().int().min(0).max(2_147_483_647);

/**
 * Begins to plan the push and replaces the earlier plan, even one in progress: 202, or 409 without a store or if
 * something else must end first. With `unasked`, planning begins only if it is cheap, nothing blocks it and no plan is
 * up to date; otherwise the reply is 200.
 */
export const beginPlan = route('beginPlan', {
  query: z.object({ unasked: z.literal('true').optional() }),
  reply: ChangedJobReply,
});

/** `stopped`: a push began before the plan was ready. `failed`: the store is not connected, or refuses requests. */
export const planStates = ['none', 'running', 'ready', 'stopped', 'failed'] as const;

/** The plan of a push. `sums` grow while the plan is made. */
export const Plan = z.object({
  state: z.enum(planStates),
  message: z.string().nullable(),
  done: count,
  total: count,
  sums: z.array(z.object({ outcome: z.enum(outcomes), code: z.string().nullable(), products: count })),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  points: count,
  /** When the copy of the store was last complete. Null if it never was. */
  copiedAt: z.iso.datetime().nullable(),
  /** Why the plan may be outdated. `editedRows`: rows edited since the plan, or since its push if `push` is set. */
  outdated: z.object({ rows: z.boolean(), settings: z.boolean(), store: z.boolean(), editedRows: count }),
  /** Cost of making a plan now. Null until the store has reported its rate limit. */
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
  /** Number of products whose choice was changed after the plan was made. `sums` ignore those changes. */
  decidedSince: count,
  /** Products by needed decision. `open`: not decided yet. `allowed`: those of `open` that allow the choice. */
  decisions: z.array(
    z.object({
      about: z.enum(choiceSubjects),
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

/** `changes`: the largest differences, with null on both sides for long values. `moreChanges`: number of others. */
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
  /** The decision that the operator can make, or null. Differs from `code` if an earlier choice is outdated. */
  about: z.enum(choiceSubjects).nullable(),
  choices: z.array(z.enum(pushChoices)),
  choice: z.enum(pushChoices).nullable(),
  /** The choice when the plan was made. If `choice` differs, `outcome` does not reflect `choice`. */
  plannedChoice: z.enum(pushChoices).nullable(),
});
export type PlannedProduct = z.infer<typeof PlannedProduct>;

/** Lists products, the largest change first. With `from`, lists all products from that number on, unfiltered. */
export const listPlannedProducts = route('listPlannedProducts', {
  query: z.object({
    action: z.enum(outcomes).optional(),
    code: z.string().max(40).optional(),
    otherwise: z.enum(['true', ...deviations]).optional(),
    about: z.enum(choiceSubjects).optional(),
    open: z.literal('true').optional(),
    after: ProductNumber.optional(),
    from: ProductNumber.optional(),
  }),
  reply: z.object({ products: z.array(PlannedProduct), next: count.nullable() }),
});

const Image = z.object({ url: z.string().nullable(), alt: z.string().nullable() });

/** Returns a product's differences between store and plan. `sent`: the push sends them. 404 if it is not planned. */
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
 * Saves the decision about one product of the current plan, or about all products that need the same decision. A null
 * `choice` removes the decision. Products that do not allow the choice are skipped. 409 without a ready plan, or if
 * the file was re-read since. If `more` is true, products are left after the first `decided` ones: repeat the call.
 */
export const makeChoices = route('makeChoices', {
  body: z.object({
    about: z.enum(choiceSubjects),
    choice: z.enum(pushChoices).nullable(),
    /** The product's number in the plan. If absent, the choice is for all products that need this decision. */
    product: count.min(0).max(2_147_483_647).optional(),
  }),
  reply: z.object({ decided: count, more: z.boolean() }),
});

/** Streams the lines of a plan as CSV. 409 without a plan, or if the file was re-read since. */
export const getPlanCsv = route('getPlanCsv', {
  reply: z.string(),
});
