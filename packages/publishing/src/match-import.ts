import type { Db } from '@draftshelf/core/connection/database';
import { findListings, type VersionedListing } from '@draftshelf/core/push/listings';
import { readOutcomeProducts } from '@draftshelf/core/push/outcomes';
import { findCopiedIds } from '@draftshelf/core/push/store/store-products';
import { findProductsWithKeys } from '@draftshelf/core/review/rows-with-keys';
import type { RunOfRows } from '@draftshelf/core/work/runs';
import type { BuiltProduct } from './build-product.ts';
import type { CompetingRow } from './decision.ts';
import {
  applyMatch,
  isSentToMatch,
  type ProductMatch,
  type PushChoices,
  readChoices,
} from './match-products.ts';
import type { ProductToPublish } from './publish-context.ts';

type Matches = ReadonlyMap<string, ProductMatch>;

type ImportToMatch = {
  db: Db;
  shop: string;
  of: RunOfRows;
  settings: Omit<PushChoices, 'choices'>;
  build(numbers: readonly number[]): Promise<BuiltProduct[]>;
  match(products: readonly BuiltProduct[]): Promise<Matches>;
};

type Claim = { storeProductId: string; number: number; row: number; ourId: string; hasIt: boolean };

/** Matches products of an import with the store and each other. `inStore`: store ids of products without a listing. */
export async function matchImport(
  work: ImportToMatch,
  products: readonly BuiltProduct[],
  known: { listings: ReadonlyMap<string, VersionedListing>; inStore: ReadonlyMap<string, string> },
): Promise<(product: BuiltProduct) => ProductToPublish> {
  const { listings, inStore } = known;
  const matches = await work.match(products.filter(({ ourId }) => !inStore.has(ourId)));
  const ourIds = products.map(({ ourId }) => ourId);
  const choices = {
    ...work.settings,
    choices: await readChoices(work.db, work.shop, ourIds, matches.values()),
  };
  const takers = await findTakers(work, products, matches, choices);
  return ({ ourId, built, source }) => {
    const facts = { idInStore: inStore.get(ourId), taker: takers.get(ourId) };
    const unmatched = { ourId, built, source, found: listings.get(ourId) ?? null, ...facts };
    return applyMatch(unmatched, matches.get(ourId), choices);
  };
}

/**
 * Returns, by our id, the taker of a product's match: another product that is sent to the matched product instead. The
 * taker is the product whose listing has the store product, or else the first in the file. Other chunks, later pushes
 * and plans find the same taker, as they look up earlier products by key. Only matches to be written count.
 */
async function findTakers(
  work: ImportToMatch,
  products: readonly BuiltProduct[],
  matches: Matches,
  choices: PushChoices,
): Promise<ReadonlyMap<string, CompetingRow>> {
  const wanted = claimsOf(products, matches, choices);
  if (wanted.length === 0) return new Map();
  const matched = wanted.flatMap(({ ourId }) => matches.get(ourId) ?? []);
  const rivals = await readRivals(work, products, matched);
  const theirs = await work.match(rivals);
  const rivalIds = rivals.map(({ ourId }) => ourId);
  const made = await readChoices(work.db, work.shop, rivalIds, theirs.values());
  const listed = await readOwn(work, [...products, ...rivals], matched);
  const claims = [...listed, ...wanted, ...claimsOf(rivals, theirs, { ...work.settings, choices: made })];
  claims.sort((a, b) => Number(b.hasIt) - Number(a.hasIt) || a.number - b.number);
  return new Map(
    wanted.flatMap(({ ourId, storeProductId }) => {
      const taker = claims.find((one) => one.storeProductId === storeProductId);
      return taker && taker.ourId !== ourId ? [[ourId, { row: taker.row, storeProductId }]] : [];
    }),
  );
}

/** Returns the claims of products that already have a store product, by a listing or by our id in the store. */
async function readOwn(
  { db, shop }: ImportToMatch,
  products: readonly BuiltProduct[],
  matched: readonly ProductMatch[],
): Promise<Claim[]> {
  const ourIds = products.map(({ ourId }) => ourId);
  const copied = await findCopiedIds(db, shop, ourIds);
  const listings = await findListings(db, shop, ourIds);
  const underId = new Map(matched.map((one) => [one.ourId, one.storeProductId]));
  return products.flatMap(({ number, firstRow: row, ourId }) => {
    const ids = [listings.get(ourId)?.store_product_id, copied.get(ourId), underId.get(ourId)];
    return [...new Set(ids)].flatMap((id) =>
      id ? [{ storeProductId: id, number, row, ourId, hasIt: true }] : [],
    );
  });
}

function claimsOf(products: readonly BuiltProduct[], matches: Matches, choices: PushChoices): Claim[] {
  return products.flatMap(({ number, firstRow: row, ourId, built }) => {
    const match = matches.get(ourId);
    if (!built.ok || !match || !isSentToMatch(ourId, match, choices)) return [];
    return [{ storeProductId: match.storeProductId, number, row, ourId, hasIt: false }];
  });
}

/** Maximum number of other products with the same keys that are built and matched: the first ones of the file. */
const rivalsMax = 100;

async function readRivals(
  { db, of, build }: ImportToMatch,
  products: readonly BuiltProduct[],
  matches: readonly ProductMatch[],
): Promise<BuiltProduct[]> {
  const copied = matches.flatMap(({ copy }) => (copy ? [...copy.skus, ...copy.gtins] : []));
  const keys = new Set([...copied, ...products.flatMap((one) => one.keys.map(({ value }) => value))]);
  const before = Math.max(...products.map(({ number }) => number));
  const earlier = await findProductsWithKeys(db, of, [...keys], { before, limit: rivalsMax });
  const pushed = matches.flatMap(({ ourId }) => ourId ?? []);
  const known = await readOutcomeProducts(db, { id: of.import_id, rows_run: of.run }, pushed);
  const numbers = new Set([...known.values(), ...earlier]);
  for (const { number } of products) numbers.delete(number);
  return numbers.size === 0 ? [] : build([...numbers].slice(0, rivalsMax));
}
