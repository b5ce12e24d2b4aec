import { pathCharsMax } from '@draftshelf/domain/products/categories';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, Done, FieldName } from '../values.ts';

/** A category of Shopify's taxonomy. */
export const Category = z.object({ id: z.string().max(200), name: z.string().max(1_000) });
export type Category = z.infer<typeof Category>;

/**
 * Counts products with a value in each field that counts in a shop. `withCategory`: those whose supplier's own category
 * has one of the store. `paths`: the supplier's own categories, most frequent first, at most 500.
 */
export const getReadiness = route('getReadiness', {
  reply: z.object({
    products: count,
    fields: z.array(z.object({ field: FieldName, label: z.string(), products: count })),
    withCategory: count,
    paths: z.array(
      z.object({
        path: z.string(),
        /** The field that has it: rows are filtered by it. */
        field: FieldName,
        products: count,
        category: Category.nullable(),
      }),
    ),
  }),
});

/** The categories that the store finds for a text, best first. 502 if the store does not answer. */
export const findCategories = route('findCategories', {
  query: z.object({ q: z.string().trim().min(1).max(200) }),
  reply: z.object({ categories: z.array(Category) }),
});

/** Sets the store category of a supplier's own category for this and later lists; null removes it. */
export const chooseCategory = route('chooseCategory', {
  body: z.object({ path: z.string().min(1).max(pathCharsMax), category: Category.nullable() }),
  reply: Done,
});
