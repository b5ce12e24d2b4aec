import type { Db } from '@draftshelf/core/connection/database';
import { findClaimedProducts } from '@draftshelf/core/push/key-claims';
import { findChoices, type ProductChoices } from '@draftshelf/core/push/previews/push-choices';
import { findMatches, type MatchCandidate, type StoreMatch } from '@draftshelf/core/push/store/product-keys';
import { copyProducts, removeCopies } from '@draftshelf/core/push/store/store-products';
import type { StockChoice } from '@draftshelf/core/suppliers/supplier-pushes';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { DraftResult } from '@draftshelf/domain/products/draft-product';
import type { ProductKey, ProductKeyKind } from '@draftshelf/domain/products/product-keys';
import {
  defaultMatchChoice,
  findMatchEvidence,
  type MatchStanding,
  rateMatch,
} from '@draftshelf/domain/push/match-standing';
import { findProductIds, readStamps } from '@draftshelf/shopify/products';
import { type ProductCopy, readCopies } from '@draftshelf/shopify/store-pages';
import { getMatchBasis, hashStoreCopy } from './decide-match.ts';
import type { ProductToPublish } from './publish-context.ts';
import { toQuestion } from './questions.ts';
import type { StoreSession } from './store-session.ts';

type KeyedProduct = { ourId: string; keys: readonly ProductKey[]; built: DraftResult };

/** `isDeleted`: others have deleted the product in the store, but our listing still has it. */
export type ProductMatch = StoreMatch & { isDeleted: boolean; standing: MatchStanding };

/** `updatesCopy`: removes deleted products from our copy of the store and copies changed ones again. */
type MatchOptions = { signal?: AbortSignal; updatesCopy: boolean };

/**
 * Returns, by our id, products of the store that have a key of our unpushed products under another id. Our copy may be
 * old: a changed product must still have the key, and a deleted one is a match only if it was ours and no other has
 * the key. A product that another import is creating is a match once the store has it. Another supplier's item number
 * or deleted product is no match. Costs a point per hundred matches and a read per hundred changed products.
 */
export async function matchProducts(
  db: Db,
  { client, shop }: Pick<StoreSession, 'client' | 'shop'>,
  importId: string | null,
  products: readonly KeyedProduct[],
  { signal, updatesCopy }: MatchOptions,
): Promise<ReadonlyMap<string, ProductMatch>> {
  const options = signal && { signal };
  const arriving = await findArriving(db, client, { shop, importId }, products);
  const found = await findMatches(db, shop, importId, products);
  for (const [wanted, more] of arriving) found.set(wanted, [...(found.get(wanted) ?? []), ...more]);
  const ids = [...new Set([...found.values()].flat().map(idOf))];
  const stamps = await readStamps(client, ids, options);
  const matched = products.flatMap((product) => {
    const all = found.get(product.ourId);
    if (!all) return [];
    const isDeleted = (one: MatchCandidate) => one.isListed && !stamps.has(idOf(one));
    const deleted = all.find((one) => isDeleted(one) && one.owner !== 'other');
    return [{ ...product, candidates: all.filter((one) => stamps.has(idOf(one))), deleted }];
  });
  const unproved = matched.flatMap((product) => {
    const proved = product.candidates.findIndex((one) => {
      const kind = kindUnread(product.keys, one, stamps.get(idOf(one)));
      return kind !== null && addMatchStanding(product, { ...one, kind }) !== null;
    });
    return product.candidates.slice(0, proved < 0 ? undefined : proved);
  });
  // A product that another import is creating has no copy to compare with yet.
  const uncopied = matched.flatMap(({ candidates }) =>
    candidates.filter(({ copy, byItem }) => byItem && !copy),
  );
  const read = await readCopies(client, [...new Set([...unproved, ...uncopied].map(idOf))], options);
  if (updatesCopy) {
    const deleted = ids.filter((id) => !stamps.has(id));
    await removeCopies(db, shop, deleted);
    await copyProducts(db, shop, [...read.values()]);
  }
  return new Map(
    matched.flatMap((product): [string, ProductMatch][] => {
      const { ourId, keys, candidates, deleted } = product;
      const [living] = candidates.flatMap((one) => {
        const kind = kindUnread(keys, one, stamps.get(idOf(one)));
        const copy = read.get(idOf(one));
        const match = kind ? { ...one, kind, copy: one.copy ?? copy ?? null } : matchRead(keys, one, copy);
        return (match && addMatchStanding(product, match)) ?? [];
      });
      if (living) return [[ourId, { ...living, isDeleted: false }]];
      return deleted ? [[ourId, { ...deleted, standing: 'own', isDeleted: true }]] : [];
    }),
  );
}

export function addMatchStanding(
  { keys, built }: KeyedProduct,
  match: StoreMatch,
): (StoreMatch & { standing: MatchStanding }) | null {
  const { kind, owner, copy, itemNumbers } = match;
  const known = keys.filter((key) => key.kind === kind && (!copy || hasKey(copy, key)));
  const isNumber = (key: ProductKey) => key.isItemNumber === true || itemNumbers.includes(key.value);
  const isItemNumber = known.length > 0 && known.every(isNumber);
  const agreement = built.ok ? findMatchEvidence(built.product, copy) : null;
  const standing = rateMatch({ kind, isItemNumber, owner, agreement });
  return standing && { ...match, standing };
}

const idOf = ({ storeProductId }: StoreMatch) => storeProductId;

/** Finds products that are in the store without a listing, because they are being sent or their response was lost. */
async function findArriving(
  db: Db,
  client: StoreSession['client'],
  { shop, importId }: { shop: string; importId: string | null },
  products: readonly KeyedProduct[],
): Promise<Map<string, MatchCandidate[]>> {
  const claimed = await findClaimedProducts(db, shop, importId, products);
  const inStore = await findProductIds(client, [...new Set(claimed.map(({ ourId }) => ourId))]);
  const arrived = claimed.flatMap((one) => {
    const storeProductId = inStore.get(one.ourId);
    return storeProductId === undefined
      ? []
      : [{ ...one, storeProductId, isListed: false, byItem: one.kind === 'item', copy: null }];
  });
  return Map.groupBy(arrived, ({ wanted }) => wanted);
}

const hasKey = (copy: Pick<ProductCopy, 'skus' | 'gtins'>, { kind, value }: ProductKey): boolean =>
  (kind === 'sku' ? copy.skus : kind === 'gtin' ? copy.gtins : []).includes(value);

const keyIn = (keys: readonly ProductKey[], copy: Pick<ProductCopy, 'skus' | 'gtins'>) =>
  keys.find((key) => hasKey(copy, key));

/** Returns the kind of the matching key. Null if neither a current copy nor an item number proves the match. */
function kindUnread(
  keys: readonly ProductKey[],
  { copy, byItem }: MatchCandidate,
  stamp: string | undefined,
): ProductKeyKind | null {
  const isExact = copy && stamp !== undefined && Date.parse(copy.updatedAt) === Date.parse(stamp);
  return (isExact && keyIn(keys, copy)?.kind) || (byItem ? 'item' : null);
}

/** Returns null if the product as read has none of the keys. A cut copy of a listed product still counts as a match. */
function matchRead(
  keys: readonly ProductKey[],
  { byItem: _, ...candidate }: MatchCandidate,
  copy: ProductCopy | undefined,
): StoreMatch | null {
  if (!copy) return null;
  const { kind } = keyIn(keys, copy) ?? (copy.isCut && candidate.isListed ? candidate : { kind: null });
  return kind && { ...candidate, kind, copy, ourId: candidate.isListed ? candidate.ourId : copy.ourId };
}

export type PushChoices = {
  whenInStore: MatchChoice;
  /** Whether `whenInStore` was chosen for this push. If not, it is the value from the preferences. */
  isChosen: boolean;
  sendNonOverlapping: boolean;
  stockChoice?: StockChoice | null | undefined;
  choices: ReadonlyMap<string, ProductChoices>;
};

export const readChoices = (db: Db, shop: string, ourIds: readonly string[], matches: Iterable<StoreMatch>) =>
  findChoices(db, shop, [...ourIds, ...[...matches].flatMap(({ ourId }) => ourId ?? [])]);

const none: ProductChoices = new Map();

/**
 * Returns a product with its match. If the match has one of our ids, the product is published under that id, so that
 * the store's product keeps one listing. This includes a deleted match, about which the operator is asked.
 */
export function applyMatch(
  product: Omit<ProductToPublish, 'match' | 'choices' | 'sendNonOverlapping' | 'stockChoice'>,
  match: ProductMatch | undefined,
  settings: PushChoices,
): ProductToPublish {
  const { sendNonOverlapping, stockChoice, choices } = settings;
  const made = choices.get(product.ourId) ?? none;
  const own = { ...product, sendNonOverlapping, stockChoice, choices: made };
  if (!match) return { ...own, match: null };
  const { storeProductId, ourId } = match;
  const movedTo = (id: string, changes: Partial<ProductToPublish> = {}): ProductToPublish => {
    // The product's own write may have arrived, so the product must not stay `sending` under its own id.
    if (product.found?.sending) return { ...own, match: null, resolvesOwnWrite: true };
    const ofListing = { ourId: id, match: null, found: undefined, choices: choices.get(id) ?? none };
    return { ...own, ...ofListing, ...changes };
  };
  if (match.isDeleted && ourId !== null) return movedTo(ourId);
  const { inStore, question, isOutdated, choice } = askAbout(match, settings, made);
  if (isOutdated || choice !== 'update' || ourId === null) return { ...own, match: inStore };
  const chosen = question.choice === null ? {} : { matchQuestion: question };
  return movedTo(ourId, { idInStore: match.isListed ? undefined : storeProductId, ...chosen });
}

function askAbout(
  { storeProductId, ourId, kind, copy, standing, supplier }: ProductMatch,
  settings: Pick<PushChoices, 'whenInStore' | 'isChosen'>,
  made: ProductChoices,
) {
  const state = copy && hashStoreCopy(copy);
  const choice = defaultMatchChoice(standing, settings);
  const inStore = { storeProductId, kind, supplier, choice, state, isOurs: ourId !== null };
  const { question, isOutdated } = toQuestion(made, 'in-store', getMatchBasis(inStore));
  return { inStore, question, isOutdated, choice: question.choice ?? choice };
}

/** Returns whether a push updates the product's match or creates its deleted match again. */
export function isSentToMatch(ourId: string, match: ProductMatch, settings: PushChoices): boolean {
  const { choices } = settings;
  if (match.isDeleted) return choices.get(match.ourId ?? '')?.get('deleted-in-store')?.choice === 'create';
  const { isOutdated, choice } = askAbout(match, settings, choices.get(ourId) ?? none);
  return !isOutdated && choice === 'update';
}
