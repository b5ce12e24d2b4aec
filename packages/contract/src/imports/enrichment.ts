import { z } from 'zod';

/** What look-ups have found for an import and what they wait for. */
export const Enrichment = z.object({
  coverage: z.array(
    z.object({
      field: z.string(),
      products: z.number().int(),
      /** With a value from file or operator, and with a found one. */
      filled: z.number().int(),
      found: z.number().int(),
    }),
  ),
  /** Products that wait for a source; `until` is null while it is being asked. At most 10,000 are counted. */
  waiting: z.array(
    z.object({
      source: z.string(),
      products: z.number().int(),
      until: z.iso.datetime().nullable(),
      because: z.string().nullable(),
      /** The calls that the source takes in `windowMs`, and when it is expected to have answered; null: not known. */
      perWindow: z.number().int(),
      windowMs: z.number().int(),
      readyAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type Enrichment = z.infer<typeof Enrichment>;
