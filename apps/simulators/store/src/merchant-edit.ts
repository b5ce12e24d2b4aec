import { z } from 'zod';
import type { StoredProduct } from './catalogue.ts';
import { mainLocationId } from './demo-shop.ts';
import { withQuantities } from './inventory.ts';

/** A simulated manual change by the merchant; price and quantity are those of the first variant. */
export const MerchantEdit = z.strictObject({
  title: z.string().optional(),
  descriptionHtml: z.string().optional(),
  vendor: z.string().optional(),
  productType: z.string().optional(),
  status: z.enum(['ACTIVE', 'ARCHIVED', 'DRAFT']).optional(),
  tags: z.array(z.string()).optional(),
  price: z.string().optional(),
  /** At the main location, or at another one as in `quantities`. */
  quantity: z.int().optional(),
  quantities: z.record(z.string(), z.int()).optional(),
  collectionIds: z.array(z.string()).optional(),
  metafield: z
    .object({ namespace: z.string(), key: z.string(), type: z.string(), value: z.string() })
    .optional(),
  deleted: z.literal(true).optional(),
});
export type MerchantEdit = z.infer<typeof MerchantEdit>;

/** The product after a manual change. */
export function editedProduct(product: StoredProduct, edit: MerchantEdit, nowMs: number): StoredProduct {
  const { price, quantity, quantities, metafield, deleted: _, ...fields } = edit;
  const stock = { ...(quantity === undefined ? {} : { [mainLocationId]: quantity }), ...quantities };
  const variants = product.variants.map((variant, index) => {
    if (index > 0) return variant;
    const priced = price === undefined ? variant : { ...variant, price };
    return Object.keys(stock).length > 0 ? withQuantities(priced, stock) : priced;
  });
  const metafields = metafield
    ? [...product.metafields, { id: product.id, ...metafield }]
    : product.metafields;
  return { ...product, ...fields, variants, metafields, updatedAtMs: nowMs };
}
