import { metafieldName, reservedNamespacePattern } from '@draftshelf/domain/base/metafields';
import type { SilentProductField } from '@draftshelf/domain/products/draft-product';
import { type Barcode, externalIdKey, ourNamespace, payloadKey } from '../documents.ts';
import { payloadHash } from '../payload-hash.ts';
import type { ProductState } from '../replies.ts';
import { readValues } from './field.ts';
import {
  type LiveProductFields,
  type LiveVariantFields,
  productFieldList,
  type productFields,
  variantFieldList,
} from './fields.ts';

/** An option value of a variant, such as Size: M. A product without options has Title: Default Title. */
export type SelectedOption = { name: string; value: string };

export type LiveVariant = LiveVariantFields & {
  id: string;
  /** All barcodes, `barcode` first. Absent if the variant has only one. */
  barcodes?: Barcode[];
  options: SelectedOption[];
  inventoryItemId: string;
  /** Available quantity at our location. Null if the variant is not stocked there. */
  quantity: number | null;
  /** Set if others deactivated the variant at our location. The store keeps the quantity there. */
  isTakenOut?: true;
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

/** A product in the store, as plain JSON. A listing keeps it as its baseline. */
export type LiveProduct = LiveProductFields & {
  id: string;
  handle: string;
  updatedAt: string;
  tags: string[];
  options: { name: string; values: string[] }[];
  variants: LiveVariant[];
  media: LiveMedia[];
  metafields: LiveMetafield[];
  /** Digests by metafield name, which the store compares before single writes. Absent if the list can be replaced. */
  digests?: Record<string, string>;
  collectionIds: string[];
  /** From our metafields: our id, and the hash of the draft written last. Null if the product lacks the metafield. */
  externalId: string | null;
  payloadHash: string | null;
  /** False if the store's list is longer than the part that was read. Such a list is never written. */
  complete: { variants: boolean; media: boolean; metafields: boolean; collections: boolean };
};

export function toLiveProduct(state: ProductState): LiveProduct {
  const metafields = state.metafields.nodes.map(({ compareDigest: _, ...one }) => one);
  const product = {
    id: state.id,
    handle: state.handle,
    updatedAt: state.updatedAt,
    ...readValues<LiveProductFields>(productFieldList, state),
    tags: state.tags,
    options: state.options,
    variants: state.variants.nodes.map((variant) => ({
      id: variant.id,
      ...readValues<LiveVariantFields>(variantFieldList, variant),
      ...severalBarcodes(variant),
      options: variant.selectedOptions,
      inventoryItemId: variant.inventoryItem.id,
      ...stockAt(variant.inventoryItem.inventoryLevel),
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
  const digests = state.metafields.nodes.map((one) => [metafieldName(one), one.compareDigest] as const);
  return canReplaceMetafields(product) ? product : { ...product, digests: Object.fromEntries(digests) };
}

/** Maximum number of metafields in an input. */
const listMax = 250;

/**
 * Returns whether an update can send the product's whole list of metafields, as productSet needs it: the list was read
 * completely, has room for ours, and has no metafields that only the app owning them may write.
 */
export const canReplaceMetafields = ({
  complete,
  metafields,
}: Pick<LiveProduct, 'complete' | 'metafields'>) =>
  complete.metafields &&
  metafields.length < listMax / 2 &&
  !metafields.some(({ namespace }) => reservedNamespacePattern.test(namespace));

type Variant = ProductState['variants']['nodes'][number];

const stockAt = (level: Variant['inventoryItem']['inventoryLevel']) =>
  level?.isActive === false
    ? { quantity: null, isTakenOut: true as const }
    : { quantity: level?.quantities[0]?.quantity ?? null };

const severalBarcodes = ({ barcodes }: Variant) =>
  barcodes && barcodes.nodes.length > 1 ? { barcodes: barcodes.nodes } : {};

function ourMetafield(metafields: readonly LiveMetafield[], key: string): string | null {
  return metafields.find((one) => one.namespace === ourNamespace && one.key === key)?.value ?? null;
}

type Fields = typeof productFields;
type TextPart = {
  [Key in keyof Fields]: Fields[Key] extends { isMerchants: true } ? never : Fields[Key]['name'];
}[keyof Fields];

export type ComparedPart = TextPart | 'tags' | 'options' | 'variants' | 'images';

type Part = {
  live: keyof LiveProduct;
  /** The fields of an intended product that the part consists of. */
  said: readonly (keyof Fields | 'tags' | 'options' | 'variants' | 'images')[];
  /** The field of a draft that a file may lack. Undefined if every file has it. */
  draft?: SilentProductField | undefined;
  value: (product: LiveProduct) => unknown;
  /** Whether states stored by older versions lack the part, so that its value is unknown. */
  isLater?: boolean;
};

const textParts = Object.fromEntries(
  productFieldList
    .filter(({ isMerchants }) => !isMerchants)
    .map(({ key, name, draft, text, isLater = false }): [string, Part] => [
      name,
      {
        ...{ live: key, said: [key], draft, isLater },
        value: (product) => (isLater && product[key] !== undefined ? text(product[key]) : product[key]),
      },
    ]),
) as Record<TextPart, Part>;

/** Variant fields in the hash. Fields added later are left out, because states stored by older versions lack them. */
const hashedFields = variantFieldList.filter(({ isLater }) => !isLater);

/** The parts of a product that are compared, by the names that the operator sees. */
export const comparedParts: Readonly<Record<ComparedPart, Part>> = {
  ...textParts,
  tags: { live: 'tags', said: ['tags'], draft: 'tags', value: ({ tags }) => [...tags].sort() },
  options: {
    ...{ live: 'options', said: ['options'], draft: 'options' },
    value: ({ options }) => options,
  },
  variants: {
    ...{ live: 'variants', said: ['variants'] },
    value: ({ variants }) =>
      variants
        .map((one) => ({
          id: one.id,
          options: one.options,
          ...Object.fromEntries(hashedFields.map(({ key }) => [key, one[key]])),
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
  },
  images: {
    ...{ live: 'media', said: ['images'], draft: 'images' },
    value: ({ media }) => media.map(({ id }) => id),
  },
};
export const comparedPartNames = Object.keys(comparedParts) as ComparedPart[];

/** Returns the values of some parts, to be spread over another product. */
export const pickPartValues = (product: LiveProduct, parts: readonly ComparedPart[]): Partial<LiveProduct> =>
  Object.fromEntries(parts.map((part) => [comparedParts[part].live, product[comparedParts[part].live]]));

/** Returns whether drift is measured for a part with this name. */
export const isComparedPart = (part: string): part is ComparedPart => part in comparedParts;

/** Returns a hash of the compared parts. It changes only if others change the product. */
export const hashComparedParts = (product: LiveProduct): string =>
  payloadHash(
    Object.fromEntries(
      comparedPartNames.flatMap((name) => {
        const { value, isLater } = comparedParts[name];
        // A part that was added later is left out if it has no value, so that the hash equals that of older versions.
        return isLater && !value(product) ? [] : [[name, value(product)]];
      }),
    ),
  );
