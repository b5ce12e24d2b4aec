import { gtinIn } from '@draftshelf/domain/base/gtin';
import type { DraftProduct, DraftVariant, Silence } from '@draftshelf/domain/products/draft-product';
import { optionValuesOf, withOptionValues } from '@draftshelf/domain/products/option-values';
import { withSilent } from '@draftshelf/domain/products/silent-fields';
import { plainText } from '@draftshelf/domain/suppliers/plain-value';
import type { KeptDraft } from './keep-sent-parts.ts';

/**
 * The product that was sent last, with what a list of prices and stock says of it. `draft`: of the list's rows. Its
 * variants get the values of the rows with their keys; everything else stays. Null if no row has the key of a variant.
 */
export function partialOver(draft: DraftProduct, silence: Silence, base: DraftProduct): KeptDraft | null {
  const rows = rowsOfVariants(draft, base);
  if (rows.size === 0) return null;
  const named = base.variants.filter((variant) => rows.has(variant));
  const at = named.map((variant) => rows.get(variant) ?? 0);
  const own = withSilent(
    {
      ...draft,
      ...(base.options && { options: base.options }),
      variants: named.map((variant, place) => ({
        ...withOptionValues(draft.variants[at[place] ?? 0] ?? variant, optionValuesOf(variant)),
        title: variant.title,
      })),
      metafields: draft.metafields.filter(({ key }) => !silence.metafields.includes(key)),
    },
    { ...silence, variants: at.map((row) => silence.variants[row] ?? []) },
    base,
  );
  const changed = new Map(named.map((variant, place) => [variant, own.variants[place]]));
  const variants = base.variants.map((variant) => changed.get(variant) ?? variant);
  const isNamed = new Set(at);
  const absent = draft.variants.flatMap((variant, row) => (isNamed.has(row) ? [] : [nameOf(variant)]));
  return { draft: { ...own, variants }, own, gone: 0, absent };
}

const nameOf = ({ sku, barcode, title }: DraftVariant): string => sku || barcode || title;

/** Keys of a variant, the best first; undefined: it has none of this kind. */
const keysOf = [
  ({ sku }: DraftVariant) => plainText(sku).toUpperCase() || undefined,
  ({ barcode }: DraftVariant) => gtinIn(barcode)?.gtin,
  (variant: DraftVariant) => {
    const values = optionValuesOf(variant).map((value) => plainText(value).toUpperCase());
    return values.length > 0 ? values.join('|') : undefined;
  },
];

/** The places of the draft's variants, by the variant of `base` that each is: the first one with its key. */
function rowsOfVariants(draft: DraftProduct, base: DraftProduct): Map<DraftVariant, number> {
  const rows = new Map<DraftVariant, number>();
  const indexes = keysOf.map((keyOf) => Map.groupBy(base.variants, keyOf));
  for (const [at, row] of draft.variants.entries()) {
    const found = keysOf.flatMap((keyOf, kind) => {
      const key = keyOf(row);
      const [variant, ...others] = (key !== undefined && indexes[kind]?.get(key)) || [];
      return variant && others.length === 0 ? [variant] : [];
    });
    const [variant] = found;
    if (variant && !rows.has(variant)) rows.set(variant, at);
  }
  return rows;
}
