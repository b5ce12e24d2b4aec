import { outcomes } from '@draftshelf/domain/imports/outcome';
import { deviations } from '@draftshelf/domain/push/push-plan';
import { z } from 'zod';
import { ImportParams, Moved } from '../imports/imports.ts';
import { route } from '../route.ts';
import { decisionFilters, lineChoices, planDecisions } from './push-choices.ts';

const count = z.number().int();
const ProductNumber = z.coerce.number().int().min(0).max(2_147_483_647);

/**
 * Begins to plan the push: 202, or 409 without a store or with what has to end first. It replaces the earlier plan.
 * `unasked`: nobody has asked for it, so it begins only if there is none or it is wrong by now, it takes little, and
 * nothing speaks against it; 200 if it does not begin.
 */
export const beginPlan = route('beginPlan', {
  params: ImportParams,
  query: z.object({ unasked: z.literal('true').optional() }),
  reply: Moved,
});

/** stopped: a push began before it was made. failed: the store is not connected any more, or refuses. */
export const planStates = ['none', 'running', 'ready', 'stopped', 'failed'] as const;

/** What a push of an import would do. Sums grow while the plan is made. */
export const Plan = z.object({
  state: z.enum(planStates),
  /** What it waits for, or why it has failed. */
  message: z.string().nullable(),
  /** Product numbers that are planned, of all. */
  done: count,
  total: count,
  sums: z.array(z.object({ outcome: z.enum(outcomes), code: z.string().nullable(), products: count })),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  /** Points of the store's budget that it took. */
  points: count,
  /** When the copy of the store was complete in which products without a listing were looked up; null: never. */
  copiedAt: z.iso.datetime().nullable(),
  /** Why the plan may be wrong by now. `editedRows`: rows edited since it or, if there is `push`, since a push. */
  outdated: z.object({ rows: z.boolean(), settings: z.boolean(), store: z.boolean(), editedRows: count }),
  /** What a new plan would take; null while no store has answered. */
  estimate: z.object({ points: count, seconds: count }).nullable(),
  /** How the push that followed went; null before it has ended. */
  push: z
    .object({
      run: count,
      /** No other push began since. */
      isLast: z.boolean(),
      /** An undo of it has ended, and not all products stayed. */
      isUndone: z.boolean(),
      asPlanned: count,
      otherwise: z.array(z.object({ reason: z.enum(deviations), products: count })),
    })
    .nullable(),
  ...planDecisions,
});
export type Plan = z.infer<typeof Plan>;

export const getPlan = route('getPlan', {
  params: ImportParams,
  reply: Plan,
});

export const planPageSize = 50;

const PlannedProduct = z.object({
  product: count,
  /** Null also if the file was read again since. */
  title: z.string().nullable(),
  outcome: z.enum(outcomes),
  code: z.string().nullable(),
  /** The reason that the report of the push would say. */
  message: z.string().nullable(),
  /** What the push would change, or what somebody has changed in the store: 'title', 'variants' … */
  parts: z.array(z.string()),
  storeUrl: z.string().nullable(),
  /** Its rows were edited since it was planned. */
  edited: z.boolean(),
  /** After the push: why it did something else. */
  otherwise: z.enum(deviations).nullable(),
  ...lineChoices,
});
export type PlannedProduct = z.infer<typeof PlannedProduct>;

/** Products of a plan behind the number `after`, 50 at a time. `next`: the number behind which there are more. */
export const listPlannedProducts = route('listPlannedProducts', {
  params: ImportParams,
  query: z.object({
    action: z.enum(outcomes).optional(),
    code: z.string().max(40).optional(),
    /** Only those that the push did otherwise, for any reason or for this one. */
    otherwise: z.enum(['true', ...deviations]).optional(),
    ...decisionFilters,
    after: ProductNumber.optional(),
  }),
  reply: z.object({ products: z.array(PlannedProduct), next: count.nullable() }),
});

const Image = z.object({ url: z.string().nullable(), alt: z.string().nullable() });

const Difference = z.object({
  part: z.string(),
  name: z.string(),
  store: z.string().nullable(),
  push: z.string().nullable(),
});

/**
 * The differences of a product between the store and the push, by the newest values of its rows; none if the file was
 * read again since. `sent`: the push sends
 * them. `name`: which value of the part, '' for its only one. 404 if the plan has no such product.
 */
export const getPlannedProduct = route('getPlannedProduct', {
  params: ImportParams.extend({ product: ProductNumber }),
  reply: PlannedProduct.extend({
    sent: z.boolean(),
    differences: z.array(Difference),
    /** What the operator is asked about, with the values in the store and here. */
    asked: z.array(Difference),
    images: z.object({ store: z.array(Image), push: z.array(Image) }),
  }),
});

/** The lines of a plan as CSV, streamed. 409 without a plan, or if the file was read again since. */
export const getPlanCsv = route('getPlanCsv', {
  params: ImportParams,
  reply: z.string(),
});
