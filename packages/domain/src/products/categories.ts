import type { RowValues } from '../base/canonical-fields.ts';

/** A category of Shopify's taxonomy, with its name for people. */
export type Category = { id: string; name: string };

/** Longer texts are not names of categories. */
export const pathCharsMax = 500;

/** Matches an id of the taxonomy. The group is the category's code. */
export const idForm = /^(?:gid:\/\/shopify\/TaxonomyCategory\/)?([a-z]{2}(?:-\d+)+)$/;
/** The part of a category's id before its code. */
export const idStart = 'gid://shopify/TaxonomyCategory/';

/** Returns the supplier's own category of a product, which is mapped to one of the store's categories, or null. */
export function categoryPathOf({ category, type }: RowValues): string | null {
  const path = category || type;
  return path && path.length <= pathCharsMax ? path : null;
}

/** Returns the category if `path` is its id. Null for other paths, for which a person must choose a category. */
export function categoryNamed(path: string | null): Category | null {
  const [, code] = idForm.exec(path ?? '') ?? [];
  const id = `${idStart}${code}`;
  return code === undefined ? null : { id, name: id };
}
