import type { DraftProduct, SilentVariantField } from '@draftshelf/domain/products/draft-product';
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
} from './documents.ts';
import { type IntendedProduct, intendedProduct, optionsOf, ourMetafields } from './intended-product.ts';
import { mergedVariants, renamedIn, renameQuestion } from './merged-variants.ts';
import { setValue } from './product/field.ts';
import { productFieldList } from './product/fields.ts';
import { newFileInput, productOptionsInput } from './product-set-input.ts';
import { type ComparedPart, comparedParts, type LiveProduct } from './product-state.ts';
import { type QuantityChange, stockChanges } from './stock-changes.ts';
import { type IdentifiedVariant, identifyDraft, withoutSeconds } from './variant-identity.ts';

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
  /** Parts that are not sent, although they changed: the store's values stay. The draft counts as sent with them. */
  leave?: readonly ComparedPart[];
  /** Parts that are sent although we did not change them: somebody changed them in the store. */
  force?: readonly ComparedPart[];
  /** Fields of variants that are not forced: the file says nothing about them. */
  silent?: readonly SilentVariantField[];
  /** Variants may get other option values: it is not known of every store that they keep their stock. */
  canRename?: boolean | undefined;
};

/** A list that cannot be merged with the store's. */
export type UnmergedPart = 'variants' | 'images' | 'metafields';

/**
 * `update`: the product is set first, then `quantities`. `draft` is what is then sent: without the changes that cannot
 * be sent, which `notSent` names. `not-sent`: there are only such changes. `blocked`: a changed list was not read
 * completely or cannot be merged: `part`. `reason` and `notSent` are for the operator.
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
  | Blocked;
/** `isRename`: only new option values are in the way, which can be sent if they may be. */
type Blocked = { kind: 'blocked'; part: UnmergedPart; reason: string; isRename?: true };

/**
 * The writes that update a product from the draft sent last to this one. They omit fields whose value we did not
 * change. Lists are sent complete and merged, or not at all.
 */
export function updateInput(wanted: DraftProduct, options: UpdateOptions): Update {
  const { live, sent: base, leave = [], force = [], locationId } = options;
  const grouped = collectionChanges(wanted, { base, live, collections: options.collections });
  const single = withoutSeconds(grouped.draft, identifyDraft(grouped.draft, options));
  const isCut = !live.complete.variants;
  const stock = stockChanges(single.draft, { variants: single.variants, locationId, isCut, restocks: true });
  const notSent = [...grouped.notSent, ...single.notSent, ...stock.notSent];
  const { draft, set: quantities } = stock;
  const [next, sent] = [intendedProduct(draft), intendedProduct(base)];
  const ours = changedParts(next, sent);
  const changed = ours.difference(partsOfDraft(leave)).union(partsOfDraft(force));
  const isLeft = changed.size === 0 && ours.size > 0 && quantities.length === 0 && grouped.ids === null;
  if (isLeft && notSent.length === 0) return { kind: 'unchanged' };
  // What the store has already is sent all the same, so that it is recorded as sent.
  if (payloadHash(draft) === payloadHash(base) && changed.size === 0) {
    return notSent.length > 0 ? { kind: 'not-sent', notSent } : { kind: 'unchanged' };
  }
  const forced = partsOfDraft(force);
  const { variants } = single;
  const input = changedInput({
    ...options,
    silent: options.silent ?? [],
    next,
    sent,
    variants,
    changed,
    forced,
  });
  if ('kind' in input) return input;
  if (grouped.ids !== null) input.collections = grouped.ids;
  const metafields = mergedMetafields(ourMetafields(options.externalId, draft), next, sent, live);
  if (metafields) input.metafields = metafields;
  else if (changed.has('metafields')) {
    return blocked('metafields', 'Metafields from other apps can’t be merged.');
  }
  // By the store's id: our id would create a product if the store has none with it any more.
  const variables = { identifier: { id: live.id }, input };
  return { kind: 'update', variables, quantities, draft, notSent };
}

type Sides = Pick<UpdateOptions, 'live' | 'seen' | 'locationId' | 'canRename'> & {
  next: IntendedProduct;
  sent: IntendedProduct;
  variants: readonly IdentifiedVariant[];
  silent: readonly SilentVariantField[];
  changed: ReadonlySet<keyof IntendedProduct>;
  forced: ReadonlySet<keyof IntendedProduct>;
};

function changedInput(sides: Sides): ProductSetInput | Blocked {
  const { next, sent, live, changed } = sides;
  const input: ProductSetInput = {};
  for (const field of productFieldList) {
    if (changed.has(field.key)) setValue(input, field, next[field.key], sent[field.key]);
  }
  if (changed.has('tags')) input.tags = mergedTags(next.tags, sent.tags, live.tags);
  if (changed.has('variants')) {
    if (!live.complete.variants) return blocked('variants', 'Too many variants in the store to merge.');
    const merged = mergedVariants({ ...sides, isForced: sides.forced.has('variants') });
    if (!merged) return blocked('variants', 'Options in the store differ from the file.');
    const renamed = renamedIn(merged);
    if (renamed.length > 0 && !sides.canRename)
      return { ...blocked('variants', renameQuestion(renamed)), isRename: true };
    input.productOptions = productOptionsInput(optionsOf(merged));
    input.variants = merged.map((one) => one.input);
  }
  if (changed.has('images')) {
    if (!live.complete.media) return blocked('images', 'Too many images in the store to merge.');
    input.files = mergedFiles(sides);
  }
  return input;
}

const blocked = (part: UnmergedPart, reason: string): Blocked => ({ kind: 'blocked', part, reason });

/** The fields of a draft that compared parts are made of. */
const partsOfDraft = (parts: readonly ComparedPart[]) =>
  new Set<keyof IntendedProduct>(parts.flatMap((part) => comparedParts[part].said));

/** Those of some parts in which two drafts differ, apart from quantities, which have a call of their own. */
export function partsWeChanged(
  parts: readonly ComparedPart[],
  draft: DraftProduct,
  sent: DraftProduct,
): ComparedPart[] {
  const changed = changedParts(intendedProduct(draft), intendedProduct(sent));
  return parts.filter((part) => comparedParts[part].said.some((field) => changed.has(field)));
}

/** The parts that differ. Quantities have a call of their own. */
function changedParts(next: IntendedProduct, sent: IntendedProduct): Set<keyof IntendedProduct> {
  const withoutQuantities = (product: IntendedProduct) => ({
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, quantity: 0, refusedQuantity: null })),
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

/**
 * Existing images are sent by id, because every originalSource creates a new file. The store does not keep the original
 * URL of an image, so ours are identified by position, as long as the number of images is unchanged.
 */
function mergedFiles(sides: Sides): FileSetInput[] {
  const { next, sent, live } = sides;
  const forced = sides.forced.has('images') ? forcedFiles(sides) : null;
  if (forced) return forced;
  const positionsMatch = live.media.length === sent.images.length;
  const idBySource = new Map(
    positionsMatch ? sent.images.map((image, index) => [image.src, live.media[index]?.id]) : [],
  );
  const sentSources = new Set(sent.images.map((image) => image.src));
  const ours = next.images.flatMap((image): FileSetInput[] => {
    const id = idBySource.get(image.src);
    if (id) return [existingFile(id, image)];
    return positionsMatch || !sentSources.has(image.src) ? [newFileInput(image)] : [];
  });
  return positionsMatch ? ours : [...live.media.map(({ id }) => ({ id })), ...ours];
}

const existingFile = (id: string, { alt }: IntendedProduct['images'][number]): FileSetInput =>
  alt === null ? { id } : { id, alt };

/**
 * Our images in our order, those that were removed in the store sent again, and then those that somebody added there.
 * Null if it is not known which images of the store are ours.
 */
function forcedFiles({ next, sent, live, seen }: Sides): FileSetInput[] | null {
  if (seen?.media.length !== sent.images.length) return null;
  const inStore = new Set(live.media.map(({ id }) => id));
  const idBySource = new Map(sent.images.map(({ src }, at) => [src, seen.media[at]?.id ?? '']));
  const ours = next.images.map((image) => {
    const id = idBySource.get(image.src) ?? '';
    return inStore.has(id) ? existingFile(id, image) : newFileInput(image);
  });
  const known = new Set(idBySource.values());
  return [...ours, ...live.media.flatMap(({ id }) => (known.has(id) ? [] : [{ id }]))];
}

/** Namespaces that only their app or Shopify may write. The store refuses them from us. */
export const reservedNamespace = /^(app--|shopify)/;

/** Whether an update of a product writes the hash of its draft: its list of metafields is written whole, or not. */
export const carriesHash = ({ complete, metafields }: LiveProduct): boolean =>
  complete.metafields && !metafields.some(({ namespace }) => reservedNamespace.test(namespace));

/** Null if the list cannot be sent: it was not read completely, or contains metafields that we may not write. */
function mergedMetafields(
  ours: MetafieldInput[],
  next: IntendedProduct,
  sent: IntendedProduct,
  live: LiveProduct,
): MetafieldInput[] | null {
  if (!carriesHash(live)) return null;
  const nameOf = (one: { namespace: string; key: string }) => `${one.namespace}.${one.key}`;
  const known = new Set([...ours, ...next.metafields, ...sent.metafields].map(nameOf));
  known.add(`${ourNamespace}.${externalIdKey}`).add(`${ourNamespace}.${payloadKey}`);
  const theirs = live.metafields.filter((one) => !known.has(nameOf(one)));
  // What we did not change stays as the store has it.
  const [sentByName, liveByName] = [sent.metafields, live.metafields].map(
    (list) => new Map(list.map((one): [string, MetafieldInput] => [nameOf(one), one])),
  );
  const merged = next.metafields.flatMap((one) => {
    const isChanged = canonicalJson(one) !== canonicalJson(sentByName?.get(nameOf(one)));
    return isChanged ? one : (liveByName?.get(nameOf(one)) ?? []);
  });
  return [...ours, ...merged, ...theirs];
}
