import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { payloadHash } from './canonical-json.ts';
import {
  externalIdKey,
  type MetafieldInput,
  ourNamespace,
  type ProductSetInput,
  payloadKey,
  type WeightInput,
} from './documents.ts';
import type { SelectedOption } from './product-state.ts';

type DraftVariant = DraftProduct['variants'][number];

export type IntendedVariant = {
  options: SelectedOption[];
  price: string;
  compareAtPrice: string | null;
  sku: string;
  barcode: string | null;
  cost: string | null;
  tracked: boolean;
  inventoryPolicy: 'CONTINUE' | 'DENY';
  quantity: number;
  /** Of what was sent: the file's quantity, which was not sent because the store's had changed since `last`. */
  refusedQuantity: { quantity: number; last: number } | null;
  /** Null: not known. */
  weight: WeightInput | null;
};

/** A draft product in the terms of the GraphQL Admin API. The draft itself has the specification's REST shape. */
export type IntendedProduct = {
  title: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  status: NonNullable<ProductSetInput['status']>;
  tags: string[];
  options: { name: string; values: string[] }[];
  variants: IntendedVariant[];
  images: { src: string; alt: string | null }[];
  /** The draft's metafields, without the two for our id and the hash. */
  metafields: MetafieldInput[];
};

/** Shopify's option for a product without options. We send it because options and variants must be sent together. */
const plainOption: SelectedOption = { name: 'Title', value: 'Default Title' };

/** Converts a draft product. Nothing is truncated or left out. */
export function intendedProduct(draft: DraftProduct): IntendedProduct {
  const optionNames = (draft.options ?? []).map((option) => option.name);
  const variants = draft.variants.map((variant) => intendedVariant(variant, optionNames));
  return {
    title: draft.title,
    descriptionHtml: draft.body_html,
    vendor: draft.vendor,
    productType: draft.product_type,
    status: statusInput(draft.status),
    tags: splitTags(draft.tags),
    options: optionsOf(variants),
    variants,
    images: draft.images.map((image) => ({ src: image.src, alt: image.alt ?? null })),
    metafields: draft.metafields.map(({ namespace, key, value, type }) => ({ namespace, key, value, type })),
  };
}

function intendedVariant(variant: DraftVariant, optionNames: readonly string[]): IntendedVariant {
  const values = [variant.option1, variant.option2, variant.option3];
  const options = optionNames.map((name, index) => ({ name, value: values[index] ?? '' }));
  return {
    options: options.length > 0 ? options : [plainOption],
    price: variant.price,
    compareAtPrice: variant.compare_at_price || null,
    sku: variant.sku,
    barcode: variant.barcode || null,
    cost: variant.cost || null,
    tracked: variant.inventory_management === 'shopify',
    inventoryPolicy: variant.inventory_policy === 'continue' ? 'CONTINUE' : 'DENY',
    quantity: variant.inventory_quantity,
    refusedQuantity: variant.refused_quantity ?? null,
    weight: weightInput(variant),
  };
}

const weightUnits = { lb: 'POUNDS', kg: 'KILOGRAMS', oz: 'OUNCES', g: 'GRAMS' } as const;

const weightInput = ({ weight, weight_unit }: DraftVariant): WeightInput | null =>
  weight === undefined || weight_unit === undefined
    ? null
    : { value: weight, unit: weightUnits[weight_unit] };

/** The options of these variants, each with its values in the order of their first occurrence. */
export function optionsOf(
  variants: readonly { options: SelectedOption[] }[],
): { name: string; values: string[] }[] {
  const values = new Map<string, Set<string>>();
  for (const { name, value } of variants.flatMap((variant) => variant.options)) {
    const known = values.get(name) ?? new Set();
    values.set(name, known.add(value));
  }
  return [...values].map(([name, known]) => ({ name, values: [...known] }));
}

function statusInput(status: string): IntendedProduct['status'] {
  if (status === 'active') return 'ACTIVE';
  return status === 'archived' ? 'ARCHIVED' : 'DRAFT';
}

/** Shopify keeps one of two tags that differ only in case. We do too, so that this is not seen as a change. */
function splitTags(tags: string): string[] {
  const byFoldedCase = new Map<string, string>();
  for (const tag of tags.split(',').map((one) => one.trim())) {
    if (tag && !byFoldedCase.has(tag.toLowerCase())) byFoldedCase.set(tag.toLowerCase(), tag);
  }
  return [...byFoldedCase.values()];
}

/**
 * The metafields that we send with every write. The one with our id is required and must have no `type`, else the store
 * returns METAFIELD_MISMATCH.
 */
export function ourMetafields(externalId: string, draft: DraftProduct): MetafieldInput[] {
  return [
    { namespace: ourNamespace, key: externalIdKey, value: externalId },
    { namespace: ourNamespace, key: payloadKey, value: payloadHash(draft), type: 'single_line_text_field' },
  ];
}
