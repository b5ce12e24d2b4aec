import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/base/search-text';
import { z } from 'zod';
import { route } from '../route.ts';

/** Imports and products found in an answer, at most. */
export const foundMax = 8;

/**
 * Imports whose file name holds a text, and products of the newest 200 imports with rows whose title, SKU, UPC, vendor
 * or item number does, without regard to case. Products are looked for from three characters on.
 */
export const findAnywhere = route('findAnywhere', {
  query: z.object({ q: z.string().trim().min(1).max(searchCharsMax) }),
  reply: z.object({
    imports: z
      .array(
        z.object({ id: z.uuid(), filename: z.string(), status: z.string(), createdAt: z.iso.datetime() }),
      )
      .max(foundMax),
    /** Null if the text is too short. */
    products: z
      .object({
        found: z
          .array(
            z.object({
              importId: z.uuid(),
              filename: z.string(),
              row: z.number().int(),
              title: z.string().nullable(),
              sku: z.string().nullable(),
              /** The product number of its UPC cell as it is printed. */
              upc: z.string().nullable(),
            }),
          )
          .max(foundMax),
        /** Whether more products hold the text. */
        hasMore: z.boolean(),
        imports: z.number().int(),
        /** Whether older imports have rows, too. They were not searched. */
        hasOlder: z.boolean(),
        /** Whether the search took too long, so that older imports were searched only in part. */
        isCut: z.boolean(),
      })
      .nullable(),
  }),
});

/** Whether a text is long enough to look for products. */
export const findsProducts = (text: string): boolean => [...text.trim()].length >= searchCharsMin;
