import { externalIdKey, ourNamespace } from '@draftshelf/shopify/documents';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';

/** The definition of the metafield that files have values for. */
export const materialDefinition = {
  ...{ namespace: 'custom', key: 'material', name: 'Material', type: 'single_line_text_field' },
};

/** A metafield that only another app may write. */
const ratingName = { namespace: 'app--1', key: 'rating' };

/** The values of a product that files have; null: none. */
export type ListedValues = {
  title: string;
  price: string;
  material: string | null;
  seoTitle: string;
  category: string;
  quantity: number;
  status: StoredProduct['status'];
  /** The second variant. */
  large: { sku: string; price: string; quantity: number } | null;
};

/** `rating`: that of another app. */
export type StoredValues = ListedValues & { rating: string | null };

export const skuOf = (product: StoredProduct): string => product.variants[0]?.sku ?? '';

/** Our id of a product; another import has another one for the same SKU. */
export const ourIdOf = ({ metafields }: StoredProduct): string | undefined =>
  metafields.find((one) => isNamed(one, { namespace: ourNamespace, key: externalIdKey }))?.value;

/** The values that a product in the store has. */
export function valuesOf(product: StoredProduct): StoredValues {
  const metafield = (name: { namespace: string; key: string }) =>
    product.metafields.find((one) => isNamed(one, name))?.value ?? null;
  return {
    ...{
      title: product.title,
      price: product.variants[0]?.price ?? '',
      material: metafield(materialDefinition),
    },
    ...{
      seoTitle: product.seo?.title ?? '',
      category: product.category ?? '',
      quantity: product.variants[0]?.quantity ?? 0,
      status: product.status,
      large: largeOf(product),
      rating: metafield(ratingName),
    },
  };
}

function largeOf({ variants }: StoredProduct): StoredValues['large'] {
  const [, second] = variants;
  return second ? { sku: second.sku ?? '', price: second.price, quantity: second.quantity } : null;
}

/** What nobody has set: metafields that neither files nor other apps have, or none of our own. */
export function foreignParts({ metafields }: StoredProduct): string[] {
  const isOurs = ({ namespace }: { namespace: string }) => namespace === ourNamespace;
  const others = metafields.filter(
    (one) => !isOurs(one) && !isNamed(one, materialDefinition) && !isNamed(one, ratingName),
  );
  return [
    ...others.map(({ namespace, key }) => `${namespace}.${key}`),
    ...(metafields.some(isOurs) ? [] : ['no id of ours']),
  ];
}

/** Some values as a change of the store by hand. */
export function editOf(values: Partial<StoredValues>): object {
  const { title, price, material, seoTitle, quantity, status, rating } = values;
  const metafield = material ? { ...materialDefinition, value: material } : ratingOf(rating);
  return {
    ...(title && { title }),
    ...(price && { price }),
    ...(quantity !== undefined && { quantity }),
    ...(status && { status }),
    ...(metafield && { metafield }),
    ...(seoTitle && { seo: { title: seoTitle } }),
  };
}

const ratingOf = (value: string | null | undefined) =>
  value ? { ...ratingName, type: 'single_line_text_field', value } : null;

type Name = { namespace: string; key: string };

const isNamed = (one: Name, { namespace, key }: Name) => one.namespace === namespace && one.key === key;
