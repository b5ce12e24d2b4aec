import { splitEntries } from '@draftshelf/domain/base/text-list';
import {
  buildOwnMetafields,
  type DraftProduct,
  type DraftVariant,
  type LeftOutRows,
} from '@draftshelf/domain/products/draft-product';
import { optionValuesOf, setOptionValues } from '@draftshelf/domain/products/option-values';
import { pairDraftVariants } from '@draftshelf/domain/products/silent-fields';

/**
 * `own`: the draft without the kept parts. `gone`: number of kept variants that no row has. `absent`: names of
 * variants in a list of prices and stock that we have never sent to the store.
 */
export type KeptDraft = { draft: DraftProduct; own: DraftProduct; gone: number; absent?: readonly string[] };

/**
 * Adds variants of an earlier push and pictures of left-out rows to a draft. They keep their values and their order in
 * `sent`, so that they do not count as changes. Null if the options of draft and `sent` do not fit into one product.
 */
export function keepSentParts(
  draft: DraftProduct,
  leftOut: LeftOutRows | undefined,
  sent: DraftProduct,
): KeptDraft | null {
  // A new row at the position of a left-out row must not be taken for that row's variant.
  const pairs = pairDraftVariants(draft, sent, leftOut === undefined);
  const kept = sent.variants.filter((one) => !pairs.includes(one));
  const renamed = kept.length > 0 ? withOptionsOf(draft, kept, sent, pairs) : kept;
  if (!renamed) return null;
  const before = new Map(draft.variants.map((one, at) => [one, pairs[at]]));
  for (const [at, one] of renamed.entries()) before.set(one, kept[at]);
  const variants = inOrderOf(sent.variants, [...before.keys()], (one) => before.get(one));
  const own = new Set(draft.variants);
  const ofDraft = variants.filter((one) => own.has(one));
  // A new order of pictures counts as a change, unless it follows from a new order of rows.
  const isReordered = leftOut !== undefined || ofDraft.some((one, at) => one !== draft.variants[at]);
  const ordered = { ...draft, ...listsInOrder(draft, sent) };
  if (!isReordered && kept.length === 0) return { draft: ordered, own: draft, gone: 0 };
  const isLeftOut = new Set(leftOut?.images);
  const keptImages = sent.images.filter(({ src }) => isLeftOut.has(src));
  const srcs = sent.images.map(({ src }) => src);
  return {
    own: draft,
    gone: Math.max(0, kept.length - (leftOut?.rows ?? 0)),
    draft: {
      ...ordered,
      variants,
      ...(draft.options && {
        options: draft.options.map(({ name }, at) => ({
          name,
          values: [...new Set(variants.map((one) => optionValuesOf(one)[at] ?? 'Default'))],
        })),
      }),
      ...(isReordered && {
        images: inOrderOf(srcs, [...draft.images, ...keptImages], ({ src }) => src),
        metafields: withUpcOf(variants, draft.metafields),
      }),
    },
  };
}

/** Keeps the sent order of tags and collections, because the store has no order for them. */
function listsInOrder(draft: DraftProduct, sent: DraftProduct): Pick<DraftProduct, 'tags' | 'collections'> {
  const inOrder = (items: readonly string[], before: readonly string[]) =>
    inOrderOf(before, items, (item) => item);
  return {
    tags: inOrder(splitEntries(draft.tags), splitEntries(sent.tags)).join(', '),
    ...(draft.collections && { collections: inOrder(draft.collections, sent.collections ?? []) }),
  };
}

const namesOf = ({ options = [] }: DraftProduct) => options.map(({ name }) => name);

/** Returns `kept` with the draft's options. Null if the options differ in more than their order or names. */
function withOptionsOf(
  draft: DraftProduct,
  kept: readonly DraftVariant[],
  sent: DraftProduct,
  pairs: readonly (DraftVariant | undefined)[],
): DraftVariant[] | null {
  const [names, before] = [namesOf(draft), namesOf(sent)];
  const places = names.map((name) => before.indexOf(name));
  if (names.length !== before.length) return null;
  if (places.every((place, at) => place === at)) return [...kept];
  const isMoved = !places.includes(-1);
  const valueAt = (one: DraftVariant) => (place: number) => optionValuesOf(one)[place];
  if (isMoved) return kept.map((one) => setOptionValues(one, places.map(valueAt(one))));
  const isRenamed = pairs.some((one) => one !== undefined);
  return isRenamed ? [...kept] : null;
}

/** Sorts items in the given order. New items come last, in their own order. */
function inOrderOf<T, Other>(
  order: readonly Other[],
  items: readonly T[],
  otherOf: (item: T) => Other | undefined,
): T[] {
  const places = new Map(order.map((item, at) => [item, at]));
  const placeOf = (item: T) => places.get(otherOf(item) as Other) ?? order.length;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function withUpcOf(
  variants: readonly DraftVariant[],
  metafields: DraftProduct['metafields'],
): DraftProduct['metafields'] {
  const upc = variants.find(({ barcode }) => barcode !== '')?.barcode;
  const isOurs = ({ namespace, key }: { namespace: string; key: string }) =>
    namespace === 'scd' && ['import_source', 'upc'].includes(key);
  const importSource = metafields.find(({ key }) => key === 'import_source')?.value;
  if (importSource === undefined) return metafields;
  return [...buildOwnMetafields({ importSource }, upc), ...metafields.filter((one) => !isOurs(one))];
}
