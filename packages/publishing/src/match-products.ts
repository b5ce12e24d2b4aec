import type { Db } from '@draftshelf/database/connection/database';
import { type ChoicesOfProduct, findChoices } from '@draftshelf/database/push/push-choices';
import { findMatches, type StoreMatch } from '@draftshelf/database/store/product-keys';
import { removeCopies } from '@draftshelf/database/store/store-products';
import type { MatchChoice } from '@draftshelf/domain/preferences';
import type { ProductKey } from '@draftshelf/domain/product-keys';
import { readStamps } from '@draftshelf/shopify/products';
import { basisOfMatch, stateOfCopy } from './decide-match.ts';
import type { ProductToPublish } from './publish-product.ts';
import { ask } from './questions.ts';
import type { StoreSession } from './store-session.ts';

/** A product with its keys. */
type KeyedProduct = { ourId: string; keys: readonly ProductKey[] };

/** `removeDeleted`: removes our copies of products that were deleted in the store, for a caller that may write. */
type MatchOptions = { signal?: AbortSignal; removeDeleted: boolean };

/**
 * Matches of products that we have not pushed with products that the store has under another id, by our id. A product
 * that was deleted in the store in the meantime is no match; the check costs one point per hundred matches.
 * `importId`: the import that pushes them; null: none.
 */
export async function matchProducts(
  db: Db,
  { client, shop }: Pick<StoreSession, 'client' | 'shop'>,
  importId: string | null,
  products: readonly KeyedProduct[],
  { signal, removeDeleted }: MatchOptions,
): Promise<ReadonlyMap<string, StoreMatch>> {
  const found = await findMatches(db, shop, importId, products);
  const ids = [...new Set([...found.values()].map(({ storeProductId }) => storeProductId))];
  const stamps = await readStamps(client, ids, signal && { signal });
  const deleted = ids.filter((id) => !stamps.has(id));
  if (removeDeleted) await removeCopies(db, shop, deleted);
  return new Map([...found].filter(([, { storeProductId }]) => stamps.has(storeProductId)));
}

/** What an operator chose about products of a push, or about all of it. */
export type ChoicesOfPush = {
  whenInStore: MatchChoice;
  sendNonOverlapping: boolean;
  /** Choices about single products, by our id. */
  choices: ReadonlyMap<string, ChoicesOfProduct>;
};

/** Reads the choices about products, and about those that they match. */
export const readChoices = (
  db: Db,
  shop: string,
  ourIds: readonly string[],
  matches: ReadonlyMap<string, StoreMatch>,
) => findChoices(db, shop, [...ourIds, ...[...matches.values()].flatMap(({ ourId }) => ourId ?? [])]);

const none: ChoicesOfProduct = new Map();

/**
 * A product with its match and its choices. A matched product that already has our id is published under that id, so it
 * keeps one listing.
 */
export function withMatch(
  product: Omit<ProductToPublish, 'match' | 'choices' | 'sendNonOverlapping'>,
  match: StoreMatch | undefined,
  { whenInStore, sendNonOverlapping, choices }: ChoicesOfPush,
): ProductToPublish {
  const made = choices.get(product.ourId) ?? none;
  if (!match) return { ...product, sendNonOverlapping, choices: made, match: null };
  const { storeProductId, ourId, kind } = match;
  const state = match.copy && stateOfCopy(match.copy);
  const inStore = { storeProductId, kind, choice: whenInStore, state, isOurs: ourId !== null };
  const { question, isOutdated } = ask(made, 'in-store', basisOfMatch(inStore));
  const choice = question.choice ?? whenInStore;
  if (isOutdated || choice !== 'update' || ourId === null) {
    return { ...product, sendNonOverlapping, choices: made, match: inStore };
  }
  const idInStore = match.isListed ? undefined : storeProductId;
  const chosen = question.choice === null ? {} : { matchQuestion: question };
  const ofMatch = { ourId, idInStore, match: null, found: undefined, choices: choices.get(ourId) ?? none };
  return { ...product, sendNonOverlapping, ...ofMatch, ...chosen };
}
