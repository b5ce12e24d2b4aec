import { canonicalJson, payloadHash } from './canonical-json.ts';
import { type Barcode, externalIdKey, ourNamespace, payloadKey } from './documents.ts';
import type { ProductState } from './replies.ts';

/** An option value of a variant, such as Size: M. A product without options has Title: Default Title. */
export type SelectedOption = { name: string; value: string };

export type LiveVariant = {
  id: string;
  price: string;
  compareAtPrice: string | null;
  sku: string | null;
  barcode: string | null;
  /** All barcodes, `barcode` first, of a variant with several. */
  barcodes?: Barcode[];
  cost: string | null;
  tracked: boolean;
  /** Null: not known. Absent in products that older versions have stored. */
  weight?: { value: number; unit: string } | null;
  inventoryPolicy: string;
  options: SelectedOption[];
  inventoryItemId: string;
  /** Available quantity at our location; null if the variant is not stocked there. */
  quantity: number | null;
};

/** `state` is UPLOADED, PROCESSING, READY or FAILED, because Shopify downloads images after its response. */
export type LiveMedia = {
  id: string;
  alt: string | null;
  state: string;
  url: string | null;
  errors: string[];
};

export type LiveMetafield = { namespace: string; key: string; type: string; value: string };

/** A product as it is in the store, as plain JSON. A listing keeps it as its baseline. */
export type LiveProduct = {
  id: string;
  handle: string;
  updatedAt: string;
  title: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  tags: string[];
  status: string;
  options: { name: string; values: string[] }[];
  variants: LiveVariant[];
  media: LiveMedia[];
  metafields: LiveMetafield[];
  collectionIds: string[];
  /** From our metafields: our id, and the hash of the draft written last. */
  externalId: string | null;
  payloadHash: string | null;
  /** False if the list in the store is longer than what was read. Such a list is never written. */
  complete: { variants: boolean; media: boolean; metafields: boolean; collections: boolean };
};

/** Converts the store's product to a LiveProduct. */
export function liveProduct(state: ProductState): LiveProduct {
  const metafields = state.metafields.nodes;
  return {
    id: state.id,
    handle: state.handle,
    updatedAt: state.updatedAt,
    title: state.title,
    descriptionHtml: state.descriptionHtml,
    vendor: state.vendor,
    productType: state.productType,
    tags: state.tags,
    status: state.status,
    options: state.options,
    variants: state.variants.nodes.map((variant) => ({
      id: variant.id,
      price: variant.price,
      compareAtPrice: variant.compareAtPrice,
      sku: variant.sku,
      barcode: variant.barcode,
      ...severalBarcodes(variant),
      cost: variant.inventoryItem.unitCost?.amount ?? null,
      tracked: variant.inventoryItem.tracked,
      weight: variant.inventoryItem.measurement.weight,
      inventoryPolicy: variant.inventoryPolicy,
      options: variant.selectedOptions,
      inventoryItemId: variant.inventoryItem.id,
      quantity: variant.inventoryItem.inventoryLevel?.quantities[0]?.quantity ?? null,
    })),
    media: state.media.nodes.map((media) => ({
      id: media.id,
      alt: media.alt,
      state: media.status,
      url: media.preview?.image?.url ?? null,
      errors: media.mediaErrors.map((error) => error.code),
    })),
    metafields,
    collectionIds: state.collections.nodes.map((one) => one.id),
    externalId: ourMetafield(metafields, externalIdKey),
    payloadHash: ourMetafield(metafields, payloadKey),
    complete: {
      variants: !state.variants.pageInfo.hasNextPage,
      media: !state.media.pageInfo.hasNextPage,
      metafields: !state.metafields.pageInfo.hasNextPage,
      collections: !state.collections.pageInfo.hasNextPage,
    },
  };
}

const severalBarcodes = ({ barcodes }: ProductState['variants']['nodes'][number]) =>
  barcodes && barcodes.nodes.length > 1 ? { barcodes: barcodes.nodes } : {};

function ourMetafield(metafields: readonly LiveMetafield[], key: string): string | null {
  return metafields.find((one) => one.namespace === ourNamespace && one.key === key)?.value ?? null;
}

/** The parts of a product that are compared, by the names that the operator sees. */
const comparedParts = {
  title: (product: LiveProduct) => product.title,
  description: (product: LiveProduct) => product.descriptionHtml,
  vendor: (product: LiveProduct) => product.vendor,
  type: (product: LiveProduct) => product.productType,
  tags: (product: LiveProduct) => [...product.tags].sort(),
  options: (product: LiveProduct) => product.options,
  variants: (product: LiveProduct) =>
    product.variants
      .map(
        ({
          quantity: _quantity,
          inventoryItemId: _item,
          weight: _weight,
          barcodes: _barcodes,
          ...compared
        }) => compared,
      )
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  images: (product: LiveProduct) => product.media.map((media) => media.id),
} satisfies Record<string, (product: LiveProduct) => unknown>;
export type ComparedPart = keyof typeof comparedParts;
export const comparedPartNames = Object.keys(comparedParts) as ComparedPart[];

/** The field of a product that each part is read from. */
const fieldOfPart = {
  title: 'title',
  description: 'descriptionHtml',
  vendor: 'vendor',
  type: 'productType',
  tags: 'tags',
  options: 'options',
  variants: 'variants',
  images: 'media',
} as const satisfies Record<ComparedPart, keyof LiveProduct>;

/** The values of some parts of a product. Spread over another product, it has these parts of the first. */
export const valuesOfParts = (product: LiveProduct, parts: readonly ComparedPart[]): Partial<LiveProduct> =>
  Object.fromEntries(parts.map((part) => [fieldOfPart[part], product[fieldOfPart[part]]]));

/** Whether drift is measured by a part with this name. */
export const isCompared = (part: string): part is ComparedPart => part in comparedParts;

/** A hash of the compared parts: it changes only if somebody has changed the product. */
export const comparedHash = (product: LiveProduct): string =>
  payloadHash(Object.fromEntries(Object.entries(comparedParts).map(([name, part]) => [name, part(product)])));

/** The lists of a product that a read may cut. */
const cutLists = ['variants', 'media'] as const;

/**
 * The names of the parts of a product that differ from our baseline; empty if nobody changed it. Not compared: the
 * handle (we never set it), the status (publishing is the merchant's), quantities (sales change them), weights and
 * further barcodes (older baselines lack them), collections, image states and updatedAt (Shopify changes them).
 */
export function driftedParts(live: LiveProduct, baseline: LiveProduct): ComparedPart[] {
  const [a, b] = [comparable(live, baseline), comparable(baseline, live)];
  return comparedPartNames.filter(
    (name) => canonicalJson(comparedParts[name](a)) !== canonicalJson(comparedParts[name](b)),
  );
}

/** Parts that differ, by default all, in words for the operator: 'price' where the variants differ in nothing else. */
export function driftWords(
  live: LiveProduct,
  baseline: LiveProduct,
  parts: readonly ComparedPart[] = driftedParts(live, baseline),
): string[] {
  const isPrice = !driftedParts(withoutPrices(live), withoutPrices(baseline)).includes('variants');
  return parts.map((part) => (part === 'variants' && isPrice ? 'price' : part));
}

function withoutPrices(product: LiveProduct): LiveProduct {
  return { ...product, variants: product.variants.map((variant) => ({ ...variant, price: '' })) };
}

/**
 * A product without the items that a cut list of the other may have beyond what was read. What the other has in full
 * stays, so that a removed or added item is a difference.
 */
function comparable(product: LiveProduct, other: LiveProduct): LiveProduct {
  const cut = cutLists.filter((list) => !other.complete[list]);
  if (cut.length === 0) return product;
  const lists = cut.map((list) => {
    const known = new Set(other[list].map(({ id }) => id));
    return [list, product[list].filter(({ id }: { id: string }) => known.has(id))];
  });
  return { ...product, ...Object.fromEntries(lists) };
}
