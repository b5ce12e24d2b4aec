import type { StoreMatch } from '@draftshelf/core/push/store/product-keys';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { describeMatch } from '@draftshelf/domain/products/product-keys';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { planTakeOver } from '@draftshelf/shopify/product/take-over';
import { toProductCopy } from '@draftshelf/shopify/store-pages';
import type { Decision, MatchInStore, ProductFacts, Question } from './decision.ts';
import { getSilentFields } from './draft-source.ts';
import { decideSkip, getLiveBasis, toQuestion } from './questions.ts';

type Copied = NonNullable<StoreMatch['copy']>;

/** Returns a hash of a product in our copy of the store. A choice about a match ends when the hash changes. */
export const hashStoreCopy = ({ title, vendor, type, status, skus, gtins, price }: Copied): string =>
  payloadHash({ title, vendor, type, status, skus, gtins, price });

/** Returns the basis of a choice about a match. For our own product: its id, because our pushes change its state. */
export const getMatchBasis = ({ storeProductId, state, isOurs }: MatchInStore): string =>
  state === null || isOurs ? storeProductId : `${storeProductId} ${state}`;

/**
 * Decides about a product whose key the store has under another id: skips it, updates the store's product or creates a
 * second one. An update keeps the merchant's status, images and extra values. The operator's choice wins.
 */
export function decideMatch(
  facts: ProductFacts,
  draft: DraftProduct,
  match: MatchInStore,
  create: () => Decision,
): Decision {
  const { live, choices } = facts;
  const { storeProductId } = match;
  const made = choices.get('in-store');
  const read: Decision = { kind: 'read', by: 'id', id: storeProductId };
  // Our copy may be outdated. Therefore read the product before a choice is ignored or the product is overwritten.
  const isUnsure = made && (made.basis !== getMatchBasis(match) || made.choice === 'update');
  if (isUnsure && !match.isOurs && match.state !== null && live === undefined) return read;
  const now = live && match.state !== null ? { ...match, state: hashStoreCopy(toProductCopy(live)) } : match;
  const asked = toQuestion(choices, 'in-store', getMatchBasis(made ? now : match));
  const { question, isOutdated } = asked;
  const choice = isOutdated ? 'skip' : (question.choice ?? match.choice);
  const ofQuestion = question.choice === null ? {} : { question };
  if (choice === 'skip')
    return decideSkip(asked, { message: describeMatch(match.kind, match.supplier), storeProductId });
  if (choice === 'create') return { ...create(), ...ofQuestion };
  if (live === undefined) return read;
  if (live === null) return create();
  return decideOtherId(facts, draft, live) ?? decideTakeOver(facts, draft, live, question.choice && question);
}

/** Decides about a store product with the id of another row or file of ours. Returns null for other products. */
export function decideOtherId(facts: ProductFacts, draft: DraftProduct, live: LiveProduct): Decision | null {
  const { externalId } = live;
  if (externalId === null || externalId === facts.ourId) return null;
  const asked = toQuestion(facts.choices, 'different-content', `${getLiveBasis(live)} ${externalId}`);
  if (asked.question.choice === 'update') return decideTakeOver(facts, draft, live, asked.question);
  const message = 'In the store with another Draftshelf ID; left unchanged.';
  return decideSkip(asked, { message, storeProductId: live.id });
}

export function decideTakeOver(
  { ourId, choices, built }: ProductFacts,
  draft: DraftProduct,
  live: LiveProduct,
  question: Question | null,
): Decision {
  const next = planTakeOver(draft, { externalId: ourId, live, silent: getSilentFields(built) });
  if (next.kind === 'blocked') {
    const asked = toQuestion(choices, 'blocked', payloadHash(draft), ['skip']);
    return decideSkip(asked, { message: next.reason, storeProductId: live.id });
  }
  const { variables, metafields, draft: sent, kept } = next;
  return {
    ...{ kind: 'update', variables, metafields, draft: sent, hash: payloadHash(sent) },
    ...{ quantities: [], notSent: [] },
    kept: kept && { words: [], values: kept },
    ...{ gone: 0, isPartial: false, baseline: null, before: live },
    ...(question ? { question } : {}),
  };
}
