import type { CanonicalField } from '../base/canonical-fields.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';

const keys = ['sku', 'itemNumber', 'upc', 'handle'] as const satisfies readonly CanonicalField[];
const amounts = ['price', 'quantity', 'cost', 'compareAtPrice'] as const satisfies readonly CanonicalField[];

/**
 * Whether a file is a list of prices and stock: it has no titles, but keys and amounts. If its supplier is known, its
 * rows update products of earlier lists, and none is created.
 */
export function isPartialList({ sources }: Pick<HeaderMapping, 'sources'>): boolean {
  const has = (field: CanonicalField) => sources[field] !== undefined;
  return !has('title') && keys.some(has) && amounts.some(has);
}
