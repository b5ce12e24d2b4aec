import type { SilentFields, SilentVariantField } from '@draftshelf/domain/products/draft-product';
import { type SaidVariantFields, variantFieldList } from './fields.ts';
import {
  type ComparedPart,
  comparedPartNames,
  comparedParts,
  driftedParts,
  type LiveProduct,
  valuesOfParts,
} from './live-product.ts';

/** The field of a variant in the store, and of an intended one, for each field of a draft's variant. */
export const liveFields = {
  ...Object.fromEntries(variantFieldList.flatMap(({ draft, key }) => (draft ? [[draft, key]] : []))),
  inventory_quantity: 'quantity',
} as Record<SilentVariantField, keyof SaidVariantFields | 'quantity'>;

/** The compared parts that the file says nothing about. */
export const silentParts = (silent: SilentFields | undefined): ComparedPart[] =>
  comparedPartNames.filter((part) => {
    const { draft } = comparedParts[part];
    return draft !== undefined && silent?.ofOurs.product.includes(draft);
  });

/** The fields that are silent in all variants. */
export const silentInAll = (silent: SilentFields | undefined): SilentVariantField[] =>
  silent?.ofOurs.variants.reduce((common, fields) => common.filter((field) => fields.includes(field))) ?? [];

/**
 * The store's product for a comparison with an earlier state, without what was changed in fields that the file says
 * nothing about. `ignored`: the earlier values of these fields; null: none of them was changed.
 */
export function withoutSilent(
  live: LiveProduct,
  seen: LiveProduct,
  silent: SilentFields | undefined,
): { live: LiveProduct; ignored: Partial<LiveProduct> | null } {
  if (!silent) return { live, ignored: null };
  const parts = silentParts(silent);
  const fields = [
    ...silentInAll(silent).map((field) => liveFields[field]),
    ...(parts.includes('options') ? (['options'] as const) : []),
  ];
  const earlier = new Map(
    seen.variants.map((one) => [one.id, Object.fromEntries(fields.map((field) => [field, one[field]]))]),
  );
  const asSeen = { ...live, ...valuesOfParts(seen, parts) };
  const variants = live.variants.map((one) => ({ ...one, ...earlier.get(one.id) }));
  const changed = driftedParts(live, { ...asSeen, variants, complete: live.complete });
  const ofProduct = valuesOfParts(
    seen,
    changed.filter((part) => part !== 'variants'),
  );
  const ofVariants = { variants: seen.variants.map(({ id }) => ({ id, ...earlier.get(id) })) };
  return {
    live: { ...asSeen, variants },
    // Of variants, only the silent fields: the others are written.
    ignored:
      changed.length === 0
        ? null
        : ({ ...ofProduct, ...(changed.includes('variants') ? ofVariants : {}) } as Partial<LiveProduct>),
  };
}
