import type { StoredProduct, StoredVariant } from '../../apps/simulators/store/src/catalogue.ts';
import { quantitiesOf } from '../../apps/simulators/store/src/inventory.ts';

const keyOf = ({ optionValues }: StoredVariant) => JSON.stringify(optionValues);

/**
 * A product without what differs after a restore by the nature of the store: times, ids of metafields and options, the
 * order of unordered lists, quantities of variants that are not tracked, and, with `recreated`, ids of variants.
 */
export function comparableProduct(
  product: StoredProduct | undefined,
  recreated: boolean,
): object | undefined {
  if (!product) return undefined;
  const { updatedAtMs: _updated, changes: _changes, publishedAtMs, ...rest } = product;
  return {
    ...rest,
    isPublished: publishedAtMs !== undefined,
    options: product.options.map(({ name, values }) => ({ name, values: values.map((one) => one.name) })),
    variants: product.variants.map((variant) => {
      const {
        id,
        inventoryItemId: _item,
        quantities: _quantities,
        quantity: _quantity,
        weight,
        ...values
      } = variant;
      return {
        ...values,
        id: recreated ? keyOf(variant) : id,
        weight: weight?.value ? weight : null,
        stock: variant.tracked ? quantitiesOf(variant) : {},
      };
    }),
    media: product.media.map((one) => ({ ...one, alt: one.alt ?? '' })),
    metafields: product.metafields
      .map(({ id: _id, ...one }) => one)
      .sort((a, b) => (a.namespace + a.key < b.namespace + b.key ? -1 : 1)),
    tags: [...product.tags].sort(),
    collectionIds: [...product.collectionIds].sort(),
  };
}
