import { categoryPathCharsMax } from '@draftshelf/domain/products/categories';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, FieldName, SuccessReply } from '../values.ts';

/** A category of Shopify's taxonomy. */
export const Category = z.object({ id: z.string().max(200), name: z.string().max(1_000) });
export type Category = z.infer<typeof Category>;

/**
 * Counts the products that have a value in each field that matters in a shop. `withCategory`: products whose supplier
 * category is mapped to a store category. `paths`: the 500 most frequent supplier categories.
 */
export const getReadiness = route('getReadiness', {
  reply: z.object({
    products: count,
    fields: z.array(z.object({ field: FieldName, label: z.string(), products: count })),
    withCategory: count,
    paths: z.array(
      z.object({
        path: z.string(),
        /** The field that holds the supplier's category. Screens filter rows by this field. */
        field: FieldName,
        products: count,
        category: Category.nullable(),
      }),
    ),
  }),
});

/** Searches the store's categories for a text, best match first. 502 if the store does not answer. */
export const findCategories = route('findCategories', {
  query: z.object({ q: z.string().trim().min(1).max(200) }),
  reply: z.object({ categories: z.array(Category) }),
});

/** Sets the store category of a supplier's category, for this and later lists. Null removes the store category. */
export const chooseCategory = route('chooseCategory', {
  body: z.object({ path: z.string().min(1).max(categoryPathCharsMax), category: Category.nullable() }),
  reply: SuccessReply,
});
