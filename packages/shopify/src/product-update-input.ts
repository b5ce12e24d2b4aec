import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { canonicalJson, payloadHash } from './canonical-json.ts';
import { collectionChanges } from './collection-changes.ts';
import type { Collection } from './collections.ts';
import {
  externalIdKey,
  type FileSetInput,
  type MetafieldInput,
  ourNamespace,
  type ProductSetInput,
  type ProductSetVariables,
  payloadKey,
  type VariantSetInput,
} from './documents.ts';
import {
  type IntendedProduct,
  type IntendedVariant,
  intendedProduct,
  optionsOf,
  ourMetafields,
} from './intended-product.ts';
import {
  identifierOf,
  newFileInput,
  newVariantInput,
  optionValuesInput,
  productOptionsInput,
} from './product-set-input.ts';
import type { LiveProduct, LiveVariant, SelectedOption } from './product-state.ts';
import { type QuantityChange, stockChanges } from './stock-changes.ts';

export type UpdateOptions = {
  externalId: string;
  /** The draft written last. Only differences from it are sent. */
  sent: DraftProduct;
  /** The product as just read. List fields are merged with it, because productSet replaces whole lists. */
  live: LiveProduct;
  /** The product as read after our last write; null if it was not. */
  seen: LiveProduct | null;
  collections: readonly Collection[];
  locationId: string | null;
};

/**
 * `update`: `quantities` are set first, then the product. `draft` is what is then sent: without the changes that cannot
 * be sent, which `notSent` names. `not-sent`: there are only such changes. `blocked`: a changed list was not read
 * completely or cannot be merged. `reason` and `notSent` are for the operator.
 */
export type Update =
  | {
      kind: 'update';
      variables: ProductSetVariables;
      quantities: QuantityChange[];
      draft: DraftProduct;
      notSent: string[];
    }
  | { kind: 'unchanged' }
  | { kind: 'not-sent'; notSent: string[] }
  | { kind: 'blocked'; reason: string };

/**
 * The writes that update a product from the draft sent last to this one. They omit fields whose value we did not
 * change. Lists are sent complete and merged, or not at all.
 */
export function updateInput(wanted: DraftProduct, options: UpdateOptions): Update {
  const { live, sent: base, seen } = options;
  const grouped = collectionChanges(wanted, { base, live, collections: options.collections });
  const stock = stockChanges(grouped.draft, { base, live, seen, locationId: options.locationId });
  const notSent = [...grouped.notSent, ...stock.notSent];
  const { draft, set: quantities } = stock;
  const [next, sent] = [intendedProduct(draft), intendedProduct(base)];
  const changed = changedParts(next, sent);
  // What the store has already is sent all the same, so that it is recorded as sent.
  if (payloadHash(draft) === payloadHash(base)) {
    return notSent.length > 0 ? { kind: 'not-sent', notSent } : { kind: 'unchanged' };
  }
  const input = changedInput({ next, sent, live, changed, locationId: options.locationId });
  if ('kind' in input) return input;
  if (grouped.ids !== null) input.collections = grouped.ids;
  const metafields = mergedMetafields(ourMetafields(options.externalId, draft), next, sent, live);
  if (metafields) input.metafields = metafields;
  else if (changed.has('metafields')) return blocked('Metafields from other apps can’t be merged.');
  const variables = { identifier: identifierOf(options.externalId), input };
  return { kind: 'update', variables, quantities, draft, notSent };
}

type Sides = {
  next: IntendedProduct;
  sent: IntendedProduct;
  live: LiveProduct;
  changed: ReadonlySet<keyof IntendedProduct>;
  locationId: string | null;
};

function changedInput({ next, sent, live, changed, locationId }: Sides): ProductSetInput | Update {
  const input: ProductSetInput = {};
  if (changed.has('title')) input.title = next.title;
  if (changed.has('descriptionHtml')) input.descriptionHtml = next.descriptionHtml;
  if (changed.has('vendor')) input.vendor = next.vendor;
  if (changed.has('productType')) input.productType = next.productType;
  if (changed.has('status')) input.status = next.status;
  if (changed.has('tags')) input.tags = mergedTags(next.tags, sent.tags, live.tags);
  if (changed.has('variants')) {
    if (!live.complete.variants) return blocked('Too many variants in the store to merge.');
    const variants = mergedVariants(next, sent, live, locationId);
    if (!variants) return blocked('Options in the store differ from the file.');
    input.productOptions = productOptionsInput(optionsOf(variants.map((one) => one.merged)));
    input.variants = variants.map((one) => one.input);
  }
  if (changed.has('images')) {
    if (!live.complete.media) return blocked('Too many images in the store to merge.');
    input.files = mergedFiles(next, sent, live);
  }
  return input;
}

function blocked(reason: string): Update {
  return { kind: 'blocked', reason };
}

/** The parts that differ. Quantities have a call of their own. */
function changedParts(next: IntendedProduct, sent: IntendedProduct): Set<keyof IntendedProduct> {
  const withoutQuantities = (product: IntendedProduct) => ({
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, quantity: 0 })),
  });
  const [a, b] = [withoutQuantities(next), withoutQuantities(sent)];
  const parts = Object.keys(a) as (keyof IntendedProduct)[];
  return new Set(parts.filter((part) => canonicalJson(a[part]) !== canonicalJson(b[part])));
}

/** The store's tags without those that we sent and no longer have, plus our new ones. */
function mergedTags(next: string[], sent: string[], live: string[]): string[] {
  const folded = (tags: string[]) => new Set(tags.map((tag) => tag.toLowerCase()));
  const [nextFolded, sentFolded, liveFolded] = [folded(next), folded(sent), folded(live)];
  const kept = live.filter((tag) => nextFolded.has(tag.toLowerCase()) || !sentFolded.has(tag.toLowerCase()));
  const added = next.filter((tag) => !liveFolded.has(tag.toLowerCase()));
  return [...kept, ...added];
}

const optionKey = (variant: { options: SelectedOption[] }) => canonicalJson(variant.options);
const optionNames = (variant: { options: SelectedOption[] } | undefined) =>
  (variant?.options ?? []).map((option) => option.name).join('\n');

type MergedVariant = { merged: { options: SelectedOption[] }; input: VariantSetInput };

/** Null if variants of the store have other options than ours, because one list cannot contain both. */
function mergedVariants(
  next: IntendedProduct,
  sent: IntendedProduct,
  live: LiveProduct,
  locationId: string | null,
): MergedVariant[] | null {
  const liveByOptions = new Map(live.variants.map((variant) => [optionKey(variant), variant]));
  const sentByOptions = new Map(sent.variants.map((variant) => [optionKey(variant), variant]));
  const nextKeys = new Set(next.variants.map(optionKey));
  const ours = next.variants.map((variant) => {
    const existing = liveByOptions.get(optionKey(variant));
    const input = existing
      ? changedVariantInput(variant, sentByOptions.get(optionKey(variant)), existing)
      : newVariantInput(variant, locationId);
    return { merged: variant, input };
  });
  const theirs = live.variants.filter(
    (one) => !nextKeys.has(optionKey(one)) && !sentByOptions.has(optionKey(one)),
  );
  if (theirs.some((one) => optionNames(one) !== optionNames(next.variants[0]))) return null;
  return [
    ...ours,
    ...theirs.map((one) => ({ merged: one, input: { id: one.id, optionValues: optionValuesInput(one) } })),
  ];
}

function changedVariantInput(
  next: IntendedVariant,
  sent: IntendedVariant | undefined,
  live: LiveVariant,
): VariantSetInput {
  const input: VariantSetInput = { id: live.id, optionValues: optionValuesInput(next) };
  if (next.price !== sent?.price) input.price = next.price;
  if (next.compareAtPrice !== sent?.compareAtPrice) input.compareAtPrice = next.compareAtPrice;
  if (next.sku !== sent?.sku) input.sku = next.sku;
  if (next.barcode !== sent?.barcode) input.barcode = next.barcode;
  if (next.inventoryPolicy !== sent?.inventoryPolicy) input.inventoryPolicy = next.inventoryPolicy;
  const cost = next.cost !== sent?.cost ? { cost: next.cost } : {};
  const tracked = next.tracked !== sent?.tracked ? { tracked: next.tracked } : {};
  const inventoryItem = { ...cost, ...tracked, ...changedWeight(next, sent) };
  if (Object.keys(inventoryItem).length > 0) input.inventoryItem = inventoryItem;
  return input;
}

/** The store writes 0 for a weight that is not known. */
function changedWeight(next: IntendedVariant, sent: IntendedVariant | undefined) {
  const before = sent?.weight ?? null;
  if (canonicalJson(next.weight) === canonicalJson(before)) return {};
  const weight = next.weight ?? (before && { ...before, value: 0 });
  return weight === null ? {} : { measurement: { weight } };
}

/**
 * Existing images are sent by id, because every originalSource creates a new file. The store does not keep the original
 * URL of an image, so ours are identified by position, as long as the number of images is unchanged.
 */
function mergedFiles(next: IntendedProduct, sent: IntendedProduct, live: LiveProduct): FileSetInput[] {
  const positionsMatch = live.media.length === sent.images.length;
  const idBySource = new Map(
    positionsMatch ? sent.images.map((image, index) => [image.src, live.media[index]?.id]) : [],
  );
  const sentSources = new Set(sent.images.map((image) => image.src));
  const ours = next.images.flatMap((image): FileSetInput[] => {
    const id = idBySource.get(image.src);
    if (id) return [image.alt === null ? { id } : { id, alt: image.alt }];
    return positionsMatch || !sentSources.has(image.src) ? [newFileInput(image)] : [];
  });
  return positionsMatch ? ours : [...live.media.map(({ id }) => ({ id })), ...ours];
}

/** Namespaces that only their app or Shopify may write. The store refuses them from us. */
const reservedNamespace = /^(app--|shopify)/;

/** Null if the list cannot be sent: it was not read completely, or contains metafields that we may not write. */
function mergedMetafields(
  ours: MetafieldInput[],
  next: IntendedProduct,
  sent: IntendedProduct,
  live: LiveProduct,
): MetafieldInput[] | null {
  if (!live.complete.metafields) return null;
  const nameOf = (one: { namespace: string; key: string }) => `${one.namespace}.${one.key}`;
  const known = new Set([...ours, ...next.metafields, ...sent.metafields].map(nameOf));
  known.add(`${ourNamespace}.${externalIdKey}`).add(`${ourNamespace}.${payloadKey}`);
  const theirs = live.metafields.filter((one) => !known.has(nameOf(one)));
  if (theirs.some((one) => reservedNamespace.test(one.namespace))) return null;
  return [...ours, ...next.metafields, ...theirs];
}
