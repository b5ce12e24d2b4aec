import {
  type DraftProduct,
  type DraftVariant,
  type LeftOutRows,
  ourDraftMetafields,
} from '@draftshelf/domain/draft-product';

/**
 * The draft of a product with left-out rows, with what the store has from an earlier push: no variant is removed, and
 * no picture of these rows. Each keeps the values and the place that it has in `sent`, so that they are no change. Null
 * if variants must be kept whose options have other names: one product cannot have both.
 */
export function keepSentParts(
  draft: DraftProduct,
  { images: leftOutImages }: LeftOutRows,
  sent: DraftProduct,
): DraftProduct | null {
  const kept = keptVariants(draft, sent);
  if (kept.length > 0 && namesOf(draft) !== namesOf(sent)) return null;
  const variants = inOrderOf(sent.variants, [...draft.variants, ...kept], optionsKey);
  const isLeftOut = new Set(leftOutImages);
  const keptImages = sent.images.filter(({ src }) => isLeftOut.has(src));
  return {
    ...draft,
    variants,
    ...(draft.options && {
      options: draft.options.map(({ name }, at) => ({
        name,
        values: [...new Set(variants.map((one) => optionsOf(one)[at] ?? 'Default'))],
      })),
    }),
    images: inOrderOf(sent.images, [...draft.images, ...keptImages], ({ src }) => src),
    metafields: withUpcOf(variants, draft.metafields),
  };
}

const optionsOf = ({ option1, option2, option3 }: DraftVariant) => [option1, option2, option3];
const optionsKey = (variant: DraftVariant): string => JSON.stringify(optionsOf(variant));
const namesOf = ({ options = [] }: DraftProduct): string => JSON.stringify(options.map(({ name }) => name));

/** The sent variants that the draft does not have, except those that it has under other options. */
function keptVariants(draft: DraftProduct, sent: DraftProduct): DraftVariant[] {
  const [draftKeys, sentKeys] = [draft, sent].map(({ variants }) => new Set(variants.map(optionsKey)));
  const added = draft.variants.filter((one) => !sentKeys?.has(optionsKey(one)));
  const movedSkus = new Set(added.map(({ sku }) => sku).filter((sku) => sku !== ''));
  const isOnly = (sku: string) => sent.variants.filter((one) => one.sku === sku).length === 1;
  return sent.variants.filter(
    (one) => !draftKeys?.has(optionsKey(one)) && !(movedSkus.has(one.sku) && isOnly(one.sku)),
  );
}

/** Items in the order of others with the same keys; new ones last, in their own order. */
function inOrderOf<T>(order: readonly T[], items: readonly T[], keyOf: (item: T) => string): T[] {
  const places = new Map(order.map((item, at) => [keyOf(item), at]));
  const placeOf = (item: T) => places.get(keyOf(item)) ?? order.length;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The UPC of a product is that of its first variant with one. */
function withUpcOf(
  variants: readonly DraftVariant[],
  metafields: DraftProduct['metafields'],
): DraftProduct['metafields'] {
  const upc = variants.find(({ barcode }) => barcode !== '')?.barcode;
  const isOurs = ({ namespace, key }: { namespace: string; key: string }) =>
    namespace === 'scd' && ['import_source', 'upc'].includes(key);
  const importSource = metafields.find(({ key }) => key === 'import_source')?.value;
  if (importSource === undefined) return metafields;
  return [...ourDraftMetafields({ importSource }, upc), ...metafields.filter((one) => !isOurs(one))];
}
