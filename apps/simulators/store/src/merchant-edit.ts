import { z } from 'zod';
import type { StoredMetafield, StoredProduct, StoredVariant } from './catalogue.ts';
import { mainLocationId } from './demo-shop.ts';
import { quantitiesOf, withQuantities } from './inventory.ts';

/** A simulated manual change by the merchant; price, SKU and quantity are those of the first variant. */
export const MerchantEdit = z.strictObject({
  title: z.string().optional(),
  handle: z.string().optional(),
  descriptionHtml: z.string().optional(),
  vendor: z.string().optional(),
  productType: z.string().optional(),
  status: z.enum(['ACTIVE', 'ARCHIVED', 'DRAFT']).optional(),
  tags: z.array(z.string()).optional(),
  price: z.string().optional(),
  sku: z.string().optional(),
  /** Of the first image. */
  alt: z.string().optional(),
  published: z.boolean().optional(),
  seo: z.object({ title: z.string().optional(), description: z.string().optional() }).optional(),
  category: z.string().optional(),
  templateSuffix: z.string().optional(),
  /** At the main location, or at another one as in `quantities`. */
  quantity: z.int().optional(),
  quantities: z.record(z.string(), z.int()).optional(),
  /** Takes the first variant out of the main location, which keeps its quantity. */
  takenOut: z.literal(true).optional(),
  collectionIds: z.array(z.string()).optional(),
  metafield: z
    .object({ namespace: z.string(), key: z.string(), type: z.string(), value: z.string() })
    .optional(),
  deleted: z.literal(true).optional(),
  /** The author in the product's history. */
  author: z.string().default('Sam Lee'),
});
export type MerchantEdit = z.infer<typeof MerchantEdit>;

/** The product after a manual change. */
export function editedProduct(product: StoredProduct, edit: MerchantEdit, nowMs: number): StoredProduct {
  const { price, sku, quantity, quantities, takenOut, metafield, alt, published, author, ...others } = edit;
  const { deleted: _, ...fields } = others;
  const stock = { ...(quantity === undefined ? {} : { [mainLocationId]: quantity }), ...quantities };
  const first = { ...(price === undefined ? {} : { price }), ...(sku === undefined ? {} : { sku }) };
  const variants = product.variants.map((variant, index) => {
    if (index > 0) return variant;
    const changed = { ...(takenOut ? withoutMain(variant) : variant), ...first };
    return Object.keys(stock).length > 0 ? withQuantities(changed, stock) : changed;
  });
  const isOther = (one: StoredMetafield) =>
    one.namespace !== metafield?.namespace || one.key !== metafield?.key;
  const metafields = metafield
    ? [...product.metafields.filter(isOther), { id: product.id, ...metafield }]
    : product.metafields;
  const media = product.media.map((one, at) => (at === 0 && alt !== undefined ? { ...one, alt } : one));
  const changes = [
    ...(product.changes ?? []),
    {
      atMs: nowMs,
      author,
      message: `${author} changed <a href="/admin/products/${product.id}">this product</a>.`,
    },
  ];
  const { publishedAtMs: _at, ...rest } = product;
  const publishedAtMs = published === undefined ? product.publishedAtMs : published ? nowMs : undefined;
  return {
    ...rest,
    ...definedOf(fields),
    ...(publishedAtMs === undefined ? {} : { publishedAtMs }),
    variants,
    media,
    metafields,
    changes,
    // Times have whole seconds: a merchant sees a product before changing it, so never in the second of another change.
    updatedAtMs: Math.max(nowMs, product.updatedAtMs + 1000),
  };
}

function withoutMain(variant: StoredVariant): StoredVariant {
  const { [mainLocationId]: kept = 0, ...quantities } = quantitiesOf(variant);
  return { ...withQuantities({ ...variant, quantities }, {}), inactive: { [mainLocationId]: kept } };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

const definedOf = <T extends object>(fields: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Defined<T>
  >;
