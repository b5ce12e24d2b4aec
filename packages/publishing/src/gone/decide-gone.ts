import type { VersionedListing } from '@draftshelf/core/push/listings';
import { optionFields, type RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { DraftProduct, DraftVariant } from '@draftshelf/domain/products/draft-product';
import type { GoneProduct } from '@draftshelf/domain/push/line-facts-schema';
import { type GoneAction, type GoneCode, goneSentence, goneTag } from '@draftshelf/domain/suppliers/gone';
import { itemKeyOf } from '@draftshelf/domain/suppliers/item-key';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { identifyVariants } from '@draftshelf/shopify/product/variant-identity';
import { decideProduct } from '../decide-product.ts';
import { composeWriteMessage } from '../decide-pushed.ts';
import type { Listing, ProductFacts, Pushed } from '../decision.ts';
import { addGoneTag, type DraftSource } from '../draft-source.ts';
import type { BuiltDraft } from '../publish-context.ts';
import { toListingFacts } from '../read-facts.ts';

type GoneFacts = {
  ourId: string;
  action: GoneAction;
  product: GoneProduct;
  listing: Listing | null;
  source: DraftSource | null;
  /** Null if the product was deleted in the store. */
  live: LiveProduct | null;
  store: ProductFacts['store'];
};

/** Adds a listing's facts to the facts about a product. */
export const addListingFacts = <Of extends object>(of: Of, found: VersionedListing | null) => ({
  ...of,
  listing: toListingFacts(found).listing ?? null,
  source: (found?.source ?? null) as DraftSource | null,
});

type Kept = { kind: 'keep'; code: GoneCode; message: string };

/** `write`: send this draft; `message` names the unsent parts. `isOnSale`: customers can see the product now. */
export type GoneDecision =
  | { kind: 'write'; draft: BuiltDraft; message: string | null; isOnSale: boolean }
  | { kind: 'already' }
  | Kept;

/**
 * Decides about a product that its supplier no longer lists: sends its last draft with one part changed. Pure. A
 * publication or sale since the last push is no obstacle, because the operator has seen which products are on sale.
 */
export function decideGone(facts: GoneFacts): GoneDecision {
  const { ourId, action, product, listing, live, store } = facts;
  const pushed = listing?.pushed;
  const left = keepIfSupplied(action, product);
  if (left) return left;
  if (!pushed) return kept('never-pushed');
  if (live === null) return kept('deleted-in-store');
  if (isAlreadyDone(facts)) return { kind: 'already' };
  const last = pushed.baseline?.status ?? pushed.sent.status.toUpperCase();
  const isOnSale = live.status === 'ACTIVE';
  if (isStatus(action) && !isOnSale && live.status !== last) {
    return kept('changed', live.status.toLowerCase());
  }
  const isRestocked = stockOf(facts, pushed, live).some(({ now, last }) => (now ?? 0) > last);
  if (action === 'quantity' && isRestocked) return kept('sold-since');
  const draft = buildGoneDraft(facts, pushed.rebuiltDraft);
  const decision = decideProduct({
    ...{ ourId, listing, live, store, built: draft.built },
    ...{ idInStore: undefined, stamp: undefined, match: null },
    ...createGonePushOptions(action),
  });
  if (decision.kind === 'update') {
    return { kind: 'write', draft, message: composeWriteMessage(decision), isOnSale };
  }
  if (decision.kind === 'skip') {
    return { kind: 'keep', code: toGoneCode(decision), message: decision.message };
  }
  // Our last write already made this change, which was then reverted in the store.
  return kept(action === 'tag' ? 'tag-removed' : 'not-sent');
}

/** Returns the push options for gone products. No choice is asked for: our quantities overwrite changes by sales. */
export const createGonePushOptions = (action: GoneAction) =>
  ({
    ...{ choices: new Map(), sendNonOverlapping: true, stockChoice: 'use-ours', isOfGone: true },
    // The merchant may have published a product that we had sent as a draft.
    sendsStatus: isStatus(action),
  }) satisfies Partial<ProductFacts>;

export function keepIfSupplied(action: GoneAction, { soldBy, isWhole, isListed }: GoneProduct): Kept | null {
  if (soldBy !== null) return kept('still-sold', soldBy);
  if (action === 'quantity' || isWhole) return null;
  return kept(isListed ? 'still-listed' : 'not-all');
}

export const kept = (code: GoneCode, name?: string): Kept => ({
  kind: 'keep',
  code,
  message: goneSentence(code, name),
});

/** Returns whether the store already has the change. */
export function isAlreadyDone({ action, live, ...facts }: GoneFacts): boolean {
  const pushed = facts.listing?.pushed;
  if (!live || !pushed) return false;
  if (isStatus(action)) return live.status === statuses[action].toUpperCase();
  if (action === 'tag') return live.tags.includes(goneTag);
  return live.complete.variants && stockOf(facts, pushed, live).every(({ now }) => now !== null && now <= 0);
}

/** Returns the present and the last known quantities of gone variants. `now` is null if the store has no quantity. */
function stockOf(
  facts: Pick<GoneFacts, 'product' | 'source'>,
  { rebuiltDraft: draft, baseline: seen }: Pushed,
  live: LiveProduct,
): { now: number | null; last: number }[] {
  const variants = identifyVariants(draft, { sent: draft, seen, live });
  return draft.variants.flatMap((one, at) => {
    const { live: inStore, seen: before, sent } = variants[at] ?? {};
    if (!inStore || !isGone(one, facts)) return [];
    return [{ now: inStore.quantity, last: before?.quantity ?? sent?.quantity ?? 0 }];
  });
}

export const toGoneCode = ({ code }: { code: string | null }): GoneCode =>
  code === 'store-refused' ? code : 'not-sent';

const statuses = { draft: 'draft', archive: 'archived' } as const;
const isStatus = (action: GoneAction): action is keyof typeof statuses => action in statuses;

const isGone = (variant: DraftVariant, { product, source }: Pick<GoneFacts, 'product' | 'source'>): boolean =>
  product.isWhole || keysOfVariant(variant, source).some((key) => product.keys.includes(key));

/** Returns the last draft with one part changed. Its source stays: without one, a later file would set the status. */
export function buildGoneDraft(
  { action, product, source }: Omit<GoneFacts, 'live'>,
  base: DraftProduct,
): BuiltDraft {
  const changes: Record<GoneAction, () => Partial<DraftProduct>> = {
    draft: () => ({ status: 'draft', published: false }),
    archive: () => ({ status: 'archived', published: false }),
    tag: () => ({ tags: addGoneTag(base) }),
    quantity: () => ({
      variants: base.variants.map((one) =>
        isGone(one, { product, source }) ? { ...one, inventory_quantity: 0 } : one,
      ),
    }),
  };
  return { built: { ok: true, product: { ...base, ...changes[action]() } }, source };
}

function keysOfVariant(variant: DraftVariant, source: DraftSource | null): string[] {
  const { sku, barcode } = variant;
  const options = [variant.option1, variant.option2, variant.option3];
  const named = optionFields.map(({ value }, at) => [value, options[at]] as const);
  const handle = source?.rows.find((row) => row.handle)?.handle;
  const values = { sku, upc: barcode, title: '-', handle, ...Object.fromEntries(named) };
  const keys = [values, { ...values, sku: '' }, { ...values, sku: '', upc: undefined }];
  return keys.flatMap((one) => itemKeyOf(withoutEmpty(one)) ?? []);
}

const withoutEmpty = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as RowValues;
