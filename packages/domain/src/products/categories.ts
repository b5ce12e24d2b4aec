import type { RowValues } from '../base/canonical-fields.ts';

/** A category of Shopify's taxonomy, with its name for people. */
export type Category = { id: string; name: string };

/** Longer texts are not names of categories. */
export const categoryPathCharsMax = 500;

/** Matches an id of the taxonomy. The group is the category's code. */
export const categoryIdPattern = /^(?:gid:\/\/shopify\/TaxonomyCategory\/)?([a-z]{2}(?:-\d+)+)$/;
/** The part of a category's id before its code. */
export const categoryIdPrefix = 'gid://shopify/TaxonomyCategory/';

/** Returns a product's category as the supplier names it, or null. The operator maps it to a store category. */
export function categoryPathOf({ category, type }: RowValues): string | null {
  const path = category || type;
  return path && path.length <= categoryPathCharsMax ? path : null;
}

/** Returns the category if `path` is its id. Null for other paths, for which a person must choose a category. */
export function categoryOfId(path: string | null): Category | null {
  const [, code] = categoryIdPattern.exec(path ?? '') ?? [];
  const id = `${categoryIdPrefix}${code}`;
  return code === undefined ? null : { id, name: id };
}
