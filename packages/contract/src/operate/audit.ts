import { z } from 'zod';
import { route } from '../route.ts';

/** A product of the store, by the store's address and id. */
const StoreProduct = z.object({ shop: z.string().min(1), storeProductId: z.string().min(1) });

const Difference = z.object({
  /** What differs, and what to do about it, as sentences. */
  sentence: z.string(),
  remedy: z.string(),
  /** The import that it is about, with its name; null: it is about the store. */
  import: z.object({ id: z.uuid(), filename: z.string() }).nullable(),
  /** The product of the store that several of ours are linked to; null: it is about something else. */
  link: StoreProduct.nullable(),
});

/** The newest result of the daily comparison of counters, outcomes, ledger and listings. */
export const getAudit = route('getAudit', {
  reply: z.object({
    /** An audit is under way. */
    isRunning: z.boolean(),
    /** The newest audit that has ended; null: there was none. */
    latest: z
      .object({
        endedAt: z.iso.datetime(),
        imports: z.number().int(),
        products: z.number().int(),
        listings: z.number().int(),
        /** How many differences there are; the first 100 are listed. */
        count: z.number().int(),
        differences: z.array(Difference),
        /** Why it ended before its end, as a sentence. */
        problem: z.string().nullable(),
      })
      .nullable(),
  }),
});
export type Audit = z.infer<(typeof getAudit)['reply']>;

/** Begins an audit, unless one is under way. A parse worker does it. */
export const beginAudit = route('beginAudit', {
  reply: z.object({ success: z.literal(true), message: z.string() }),
});

/**
 * Keeps the link of the product of ours that was pushed last to a product of the store, unlinks the others, and begins
 * an audit. 409 while one of them is being sent.
 */
export const keepNewestLink = route('keepNewestLink', {
  body: StoreProduct,
  reply: z.object({ success: z.literal(true), message: z.string() }),
});
