import type { DraftProduct, DraftVariant } from '@draftshelf/domain/products/draft-product';
import { toCreateInput } from '../product/create-input.ts';
import { toStoreValues } from '../product/field.ts';
import { type IntendedProductFields, productFieldList } from '../product/fields.ts';
import { toIntendedProduct } from '../product/intended-product.ts';
import type { LiveProduct } from '../product/live-product.ts';

/** A complete variant for tests. */
export function testVariant(changes: Partial<DraftVariant> = {}): DraftVariant {
  return {
    title: 'Default Title',
    price: '24.90',
    compare_at_price: null,
    cost: '11.50',
    sku: 'LAMP-1',
    barcode: '4006381333931',
    inventory_quantity: 7,
    inventory_management: 'shopify',
    inventory_policy: 'deny',
    ...changes,
  };
}

/** A draft product for tests: one variant, one image, one metafield (three with ours). */
export function testDraft(changes: Partial<DraftProduct> = {}): DraftProduct {
  return {
    title: 'Brass lamp',
    body_html: '<p>A lamp.</p>',
    vendor: 'Lumen',
    product_type: 'Lighting',
    status: 'draft',
    published: false,
    published_scope: 'web',
    variants: [testVariant()],
    tags: 'brass, lamp',
    images: [{ src: 'https://images.example/lamp.jpg' }],
    metafields: [
      { namespace: 'scd', key: 'import_source', value: 'lamps.csv', type: 'single_line_text_field' },
    ],
    ...changes,
  };
}

/** The store's product right after a draft was created, as a read-back returns it. */
export function testLive(draft: DraftProduct, changes: Partial<LiveProduct> = {}): LiveProduct {
  const intended = toIntendedProduct(draft);
  const { input } = toCreateInput(draft, { externalId: 'id-1', locationId: null, collectionIds: [] });
  const metafields = (input.metafields ?? []).map((one) => ({ type: 'id', ...one }));
  return {
    id: 'gid://shopify/Product/1',
    handle: 'brass-lamp',
    updatedAt: '2026-11-20T10:00:00Z',
    ...toStoreValues<IntendedProductFields>(productFieldList, draft),
    tags: [...intended.tags].sort(),
    options: intended.options,
    variants: intended.variants.map(({ refusedQuantity: _, ...variant }, index) => ({
      id: `gid://shopify/ProductVariant/${index + 1}`,
      ...variant,
      weight: variant.weight ?? { value: 0, unit: 'KILOGRAMS' },
      inventoryItemId: `gid://shopify/InventoryItem/${index + 1}`,
      quantity: variant.tracked ? variant.quantity : null,
    })),
    media: intended.images.map((_, index) => ({
      id: `gid://shopify/MediaImage/${index + 1}`,
      alt: null,
      state: 'READY',
      url: null,
      errors: [],
    })),
    metafields,
    collectionIds: [],
    externalId: 'id-1',
    payloadHash: metafields.find((one) => one.key === 'payload')?.value ?? null,
    complete: { variants: true, media: true, metafields: true, collections: true },
    ...changes,
  };
}
