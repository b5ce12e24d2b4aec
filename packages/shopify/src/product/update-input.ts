import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { Collection } from '../collections.ts';
import type { ProductSetInput, ProductSetVariables } from '../documents.ts';
import { payloadHash } from '../payload-hash.ts';
import type { DriftedField } from './drifted-fields.ts';
import { setInputValue } from './field.ts';
import { productFieldList } from './fields.ts';
import {
  collectOptions,
  type IntendedProduct,
  type IntendedVariant,
  toIntendedProduct,
} from './intended-product.ts';
import { mergeCollections } from './lists/collections.ts';
import { mergeImages } from './lists/images.ts';
import {
  buildMetafieldWrites,
  createOurMetafields,
  type MetafieldWrites,
  mergeMetafields,
  omitForeignChanges,
} from './lists/metafields.ts';
import { findStockChanges, type QuantityChange } from './lists/quantities.ts';
import { mergeTags } from './lists/tags.ts';
import {
  listRenamedVariants,
  mergeVariants,
  toProductOptionsInput,
  toRenameQuestion,
} from './lists/variants.ts';
import { comparedParts, type LiveProduct } from './live-product.ts';
import {
  dropDuplicateVariants,
  identifyVariants,
  pickVariantsToSend,
  type VariantToSend,
} from './variant-identity.ts';

export type UpdateOptions = {
  externalId: string;
  /** The draft written last. Only differences from this draft are sent. */
  sent: DraftProduct;
  /** The product as just read. List fields are merged with it, because productSet replaces whole lists. */
  live: LiveProduct;
  /** The product as read after our last write. Null if it was not read. */
  seen: LiveProduct | null;
  collections: readonly Collection[];
  locationId: string | null;
  /** Changed fields that are not sent, so the store's values stay. The draft with these fields is recorded as sent. */
  leave?: readonly DriftedField[];
  /** Unchanged fields that are sent because they were changed in the store. */
  force?: readonly DriftedField[];
  /** Whether the status is sent even if it equals the status sent last. */
  sendsStatus?: boolean | undefined;
  /** Whether variants may get other option values. In some stores, such variants may lose their stock. */
  canRename?: boolean | undefined;
  /** Whether quantities are sent although the store has changed them since our last write. */
  overSales?: boolean | undefined;
};

export type UnmergedList = 'variants' | 'images';

/**
 * `update`: the product is set first, then single `metafields` if the list cannot be replaced, then `quantities`.
 * `draft`: the draft as sent, without the changes in `notSent`. `not-sent`: no change can be sent. `areSold`: the
 * unsent quantities can be sent with `overSales`. `blocked`: a changed list (`part`) was cut or cannot be merged.
 * `reason` and `notSent` are texts for the operator.
 */
export type UpdatePlan =
  | {
      kind: 'update';
      variables: ProductSetVariables;
      metafields: MetafieldWrites | null;
      quantities: QuantityChange[];
      draft: DraftProduct;
      notSent: string[];
      areSold?: true;
    }
  | { kind: 'unchanged' }
  | { kind: 'not-sent'; notSent: string[]; areSold?: true }
  | Blocked;
/** `isRename`: the list is blocked only by new option values, which some stores accept. */
type Blocked = { kind: 'blocked'; part: UnmergedList; reason: string; isRename?: true };

/** Returns the writes that turn the draft sent last into `wanted`. Unchanged fields are absent; lists are complete. */
export function planUpdate(wanted: DraftProduct, options: UpdateOptions): UpdatePlan {
  const { live, sent: base, leave = [], force = [], locationId } = options;
  const owned = omitForeignChanges(wanted, { base, live });
  const grouped = mergeCollections(owned.draft, { base, live, collections: options.collections });
  const single = dropDuplicateVariants(grouped.draft, identifyVariants(grouped.draft, options));
  const isCut = !live.complete.variants;
  const { variants } = single;
  const ofStock = { variants, locationId, isCut, restocks: true, overSales: options.overSales ?? false };
  const stock = findStockChanges(single.draft, ofStock);
  const notSent = [...owned.notSent, ...grouped.notSent, ...single.notSent, ...stock.notSent];
  const isAllSold = stock.areSold && notSent.length === stock.notSent.length;
  const areSold = isAllSold ? { areSold: true as const } : {};
  const { draft, set: quantities } = stock;
  const [next, sent] = [toIntendedProduct(draft), toIntendedProduct(base)];
  const ours = changedParts(next, sent);
  const chosen = pickVariantsToSend(variants, { leave, force });
  const leftOut = new Set(variants.map(({ sentAt }) => sentAt)).difference(
    new Set(chosen.map(({ sentAt }) => sentAt)),
  );
  const changed = changedParts(
    withVariants(
      next,
      chosen.map((one) => one.next),
    ),
    withVariants(
      sent,
      sent.variants.filter((_one, at) => !leftOut.has(at)),
    ),
  )
    .difference(partsOfDraft(leave))
    .union(partsOfDraft(force));
  if (force.some(({ part }) => part === 'options' || part === 'variants')) changed.add('variants');
  if (options.sendsStatus) changed.add('status');
  const isLeft = changed.size === 0 && ours.size > 0 && quantities.length === 0 && grouped.ids === null;
  if (isLeft && notSent.length === 0) return { kind: 'unchanged' };
  // Values that the store already has are sent nevertheless, so that they are recorded as sent.
  if (payloadHash(draft) === payloadHash(base) && changed.size === 0) {
    return notSent.length > 0 ? { kind: 'not-sent', notSent, ...areSold } : { kind: 'unchanged' };
  }
  const forced = partsOfDraft(force);
  const input = changedInput({ ...options, next, sent, variants: chosen, changed, forced });
  if ('kind' in input) return input;
  if (grouped.ids !== null) input.collections = grouped.ids;
  const written = createOurMetafields(options.externalId, payloadHash(draft));
  const list = mergeMetafields(written, next, sent, live);
  if (list) input.metafields = list;
  const metafields = list ? null : buildMetafieldWrites(draft, { base, live, ours: written });
  // The store's id identifies the product: our id would create a new product if the store no longer had it.
  const variables = { identifier: { id: live.id }, input };
  return { kind: 'update', variables, metafields, quantities, draft, notSent, ...areSold };
}

type Sides = Pick<UpdateOptions, 'live' | 'seen' | 'locationId' | 'canRename'> & {
  next: IntendedProduct;
  sent: IntendedProduct;
  variants: readonly VariantToSend[];
  changed: ReadonlySet<keyof IntendedProduct>;
  forced: ReadonlySet<keyof IntendedProduct>;
};

function changedInput(sides: Sides): ProductSetInput | Blocked {
  const { next, sent, live, changed } = sides;
  const input: ProductSetInput = {};
  for (const field of productFieldList) {
    if (changed.has(field.key)) setInputValue(input, field, next[field.key], sent[field.key]);
  }
  if (changed.has('tags')) input.tags = mergeTags(next.tags, sent.tags, live.tags);
  if (changed.has('variants')) {
    if (!live.complete.variants) return blocked('variants', 'Too many variants in the store to merge.');
    const merged = mergeVariants(sides);
    if (!merged) return blocked('variants', 'Options in the store differ from the file.');
    const renamed = listRenamedVariants(merged);
    if (renamed.length > 0 && !sides.canRename)
      return { ...blocked('variants', toRenameQuestion(renamed)), isRename: true };
    input.productOptions = toProductOptionsInput(collectOptions(merged));
    input.variants = merged.map((one) => one.input);
  }
  if (changed.has('images')) {
    if (!live.complete.media) return blocked('images', 'Too many images in the store to merge.');
    input.files = mergeImages({ ...sides, isForced: sides.forced.has('images') });
  }
  return input;
}

const blocked = (part: UnmergedList, reason: string): Blocked => ({ kind: 'blocked', part, reason });

const partsOfDraft = (fields: readonly DriftedField[]) =>
  new Set<keyof IntendedProduct>(
    fields.flatMap(({ part, variant }) => (variant === undefined ? comparedParts[part].said : [])),
  );

const withVariants = (product: IntendedProduct, variants: IntendedVariant[]): IntendedProduct => ({
  ...product,
  variants,
  options: collectOptions(variants),
});

/** Returns the parts that differ, without quantities, which have a call of their own. */
function changedParts(next: IntendedProduct, sent: IntendedProduct): Set<keyof IntendedProduct> {
  const withoutQuantities = (product: IntendedProduct) => ({
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, quantity: 0, refusedQuantity: null })),
  });
  const [a, b] = [withoutQuantities(next), withoutQuantities(sent)];
  const parts = Object.keys(a) as (keyof IntendedProduct)[];
  return new Set(parts.filter((part) => canonicalJson(a[part]) !== canonicalJson(b[part])));
}
