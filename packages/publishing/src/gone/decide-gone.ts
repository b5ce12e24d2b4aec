import type { GoneProduct } from '@draftshelf/database/connection/schema';
import type { DraftProduct, DraftVariant } from '@draftshelf/domain/products/draft-product';
import { optionFields } from '@draftshelf/domain/products/variant-options';
import { type GoneAction, type GoneCode, goneSentence, goneTag } from '@draftshelf/domain/suppliers/gone';
import { itemKeyOf } from '@draftshelf/domain/suppliers/item-key';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { decideProduct } from '../decide-product.ts';
import { writeMessage } from '../decide-pushed.ts';
import type { Decision, Listing, ProductFacts } from '../decision.ts';
import { type DraftSource, withGoneTag } from '../draft-source.ts';
import type { BuiltDraft } from '../publish-context.ts';

type GoneFacts = {
  ourId: string;
  action: GoneAction;
  product: GoneProduct;
  listing: Listing | null;
  source: DraftSource | null;
  /** Null: the store does not have it any more. */
  live: LiveProduct | null;
  store: ProductFacts['store'];
};

type Kept = { kind: 'keep'; code: GoneCode; message: string };

/** `write`: send this draft, of which `message` says what is not sent. */
export type GoneDecision =
  | { kind: 'write'; draft: BuiltDraft; message: string | null }
  | { kind: 'already' }
  | Kept;

/**
 * Decides what is done with a product that its supplier no longer lists: what we sent last is sent again with one part
 * changed, by the rules of a push. Pure. What others have changed since stays.
 */
export function decideGone(facts: GoneFacts): GoneDecision {
  const { ourId, action, product, listing, live, store } = facts;
  const pushed = listing?.pushed;
  if (product.soldBy !== null) return kept('still-sold', product.soldBy);
  if (!pushed) return kept('never-pushed');
  if (action !== 'quantity' && !product.isWhole) return kept('still-listed');
  if (live === null) return kept('deleted-in-store');
  const status = statuses[action];
  if (status !== undefined) {
    const last = pushed.baseline?.status ?? pushed.sent.status.toUpperCase();
    if (live.status === status.toUpperCase()) return { kind: 'already' };
    if (live.status !== last) return kept('changed', live.status.toLowerCase());
  }
  if (action === 'tag' && live.tags.includes(goneTag)) return { kind: 'already' };
  const draft = goneDraft(facts, pushed.rebuiltDraft);
  return endOf(decideProduct(goneFacts({ ourId, draft, listing, live, store })), draft);
}

/** The facts of the push that sends a draft of a product that is gone: nothing is chosen about it. */
const goneFacts = ({
  draft,
  ...facts
}: Pick<ProductFacts, 'ourId' | 'listing' | 'live' | 'store'> & { draft: BuiltDraft }): ProductFacts => ({
  ...{ ...facts, built: draft.built, idInStore: undefined, stamp: undefined, match: null },
  ...{ choices: new Map(), sendNonOverlapping: true },
});

const kept = (code: GoneCode, name?: string): Kept => ({
  kind: 'keep',
  code,
  message: goneSentence(code, name),
});

/** What a decision of the push means here. */
function endOf(decision: Decision, draft: BuiltDraft): GoneDecision {
  if (decision.kind === 'update') return { kind: 'write', draft, message: writeMessage(decision) };
  if (decision.kind === 'skip') return { kind: 'keep', code: codeOf(decision), message: decision.message };
  return { kind: 'already' };
}

/** Quantities are left only if somebody else has changed them since. */
export const codeOf = ({ code }: { code: string | null }): GoneCode =>
  code === 'not-sent' ? 'sold-since' : code === 'store-refused' ? code : 'not-sent';

const statuses: Partial<Record<GoneAction, 'draft' | 'archived'>> = { draft: 'draft', archive: 'archived' };

/**
 * The draft with the part that the action changes. It keeps its source, so that its status is not the file's again when
 * a file has it.
 */
export function goneDraft(
  { action, product, source }: Omit<GoneFacts, 'live'>,
  base: DraftProduct,
): BuiltDraft {
  const isGone = (variant: DraftVariant) =>
    product.isWhole || keysOfVariant(variant, source).some((key) => product.keys.includes(key));
  const changes: Record<GoneAction, () => Partial<DraftProduct>> = {
    draft: () => ({ status: 'draft', published: false }),
    archive: () => ({ status: 'archived', published: false }),
    tag: () => ({ tags: withGoneTag(base) }),
    quantity: () => ({
      variants: base.variants.map((one) => (isGone(one) ? { ...one, inventory_quantity: 0 } : one)),
    }),
  };
  return { built: { ok: true, product: { ...base, ...changes[action]() } }, source };
}

/** The keys that a list may name a variant by. */
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
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
