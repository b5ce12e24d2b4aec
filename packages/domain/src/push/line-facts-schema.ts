import { z } from 'zod';
import type { Difference as DifferenceValue } from './push-plan.ts';
import { type KeptPart as KeptPartValue, undoParts } from './push-undo.ts';

export const Difference = z.object({
  part: z.string(),
  name: z.string(),
  store: z.string().nullable(),
  push: z.string().nullable(),
}) satisfies z.ZodType<DifferenceValue>;

export const KeptPart = z.object({
  part: z.enum(undoParts),
  name: z.string(),
  before: z.string().nullable(),
  ours: z.string().nullable(),
  now: z.string().nullable(),
  reason: z.enum(['changed', 'cannot-restore']),
}) satisfies z.ZodType<KeptPartValue>;

/** A product with gone items. `keys`: the keys of these items. */
const GoneProduct = z.object({
  keys: z.array(z.string()),
  /** Whether all items of the product are gone and chosen. `isListed`: whether some of its items are still listed. */
  isWhole: z.boolean(),
  isListed: z.boolean(),
  /** Another supplier whose last list has the product. Null if there is none. */
  soldBy: z.string().nullable(),
});
export type GoneProduct = z.infer<typeof GoneProduct>;

/** Facts that are stored as JSON with a line of a preview, by kind of preview. Empty facts are absent. */
export const lineFacts = {
  push: z.object({
    /** Parts of the product that the push would change, or that were changed in the store. */
    parts: z.array(z.string()).optional(),
    changes: z.object({ shown: z.array(Difference), more: z.number() }).optional(),
  }),
  undo: z.object({ kept: z.array(KeptPart).optional() }),
  gone: GoneProduct,
};
export type LineFacts = { [Kind in keyof typeof lineFacts]: z.infer<(typeof lineFacts)[Kind]> };
