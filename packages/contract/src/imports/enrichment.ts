import { z } from 'zod';

export const Enrichment = z.object({
  coverage: z.array(
    z.object({
      field: z.string(),
      products: z.number().int(),
      filled: z.number().int(),
      found: z.number().int(),
    }),
  ),
  /** Products that wait for a source, at most 10,000. `until` is null while the source is being asked. */
  waiting: z.array(
    z.object({
      source: z.string(),
      products: z.number().int(),
      until: z.iso.datetime().nullable(),
      because: z.string().nullable(),
      perWindow: z.number().int(),
      windowMs: z.number().int(),
      readyAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type Enrichment = z.infer<typeof Enrichment>;
