import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/base/search-text';
import { z } from 'zod';
import { route } from '../route.ts';

export const findResultsMax = 8;

/** Finds imports by file name. A text of three or more characters also finds products of the newest 200 imports. */
export const findAnywhere = route('findAnywhere', {
  query: z.object({ q: z.string().trim().min(1).max(searchCharsMax) }),
  reply: z.object({
    imports: z
      .array(
        z.object({ id: z.uuid(), filename: z.string(), status: z.string(), createdAt: z.iso.datetime() }),
      )
      .max(findResultsMax),
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
              upc: z.string().nullable(),
            }),
          )
          .max(findResultsMax),
        hasMore: z.boolean(),
        imports: z.number().int(),
        /** Whether there are imports older than those that a search covers. */
        hasOlder: z.boolean(),
        /** Whether the search ran out of time and skipped older imports. */
        isCut: z.boolean(),
      })
      .nullable(),
  }),
});

export const canFindProducts = (text: string): boolean => [...text.trim()].length >= searchCharsMin;
