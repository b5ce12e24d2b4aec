import type { CanonicalField } from '../base/canonical-fields.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';

const keys = ['sku', 'itemNumber', 'upc', 'handle'] as const satisfies readonly CanonicalField[];
const amounts = ['price', 'quantity', 'cost', 'compareAtPrice'] as const satisfies readonly CanonicalField[];

/** Returns whether a file is a list of prices and stock, without titles. Such a list only updates existing products. */
export function isPartialList({ sources }: Pick<HeaderMapping, 'sources'>): boolean {
  const has = (field: CanonicalField) => sources[field] !== undefined;
  return !has('title') && keys.some(has) && amounts.some(has);
}
