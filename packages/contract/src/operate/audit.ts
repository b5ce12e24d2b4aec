import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply } from '../values.ts';

const StoreProduct = z.object({ shop: z.string().min(1), storeProductId: z.string().min(1) });

const Difference = z.object({
  sentence: z.string(),
  remedy: z.string(),
  import: z.object({ id: z.uuid(), filename: z.string() }).nullable(),
  /** The product to which `keepNewestLink` applies. Null if the difference is about something else. */
  link: StoreProduct.nullable(),
});

export const getAudit = route('getAudit', {
  reply: z.object({
    isRunning: z.boolean(),
    latest: z
      .object({
        endedAt: z.iso.datetime(),
        imports: z.number().int(),
        products: z.number().int(),
        listings: z.number().int(),
        /** Number of all differences. Only the first 100 are listed. */
        count: z.number().int(),
        differences: z.array(Difference),
        problem: z.string().nullable(),
      })
      .nullable(),
  }),
});
export type Audit = z.infer<(typeof getAudit)['reply']>;

export const beginAudit = route('beginAudit', {
  reply: SuccessReply,
});

/** Keeps only the link of the most recent push to a store product, and begins an audit. 409 during a push. */
export const keepNewestLink = route('keepNewestLink', {
  body: StoreProduct,
  reply: SuccessReply,
});
