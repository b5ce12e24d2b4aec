import type { MatchChoice } from '../access/preferences.ts';
import { findGtin } from '../base/gtin.ts';
import type { DraftProduct } from '../products/draft-product.ts';
import type { ProductKeyKind } from '../products/product-keys.ts';
import { hashLetters } from '../suppliers/hash-text.ts';
import { normalizeText } from '../suppliers/plain-value.ts';
import { isPriceJump } from './auto-push.ts';
import type { CopiedProduct } from './copied-product.ts';

/** Evidence that two products with the same key are the same product. */
export type MatchEvidence = 'content' | 'vendor and price';

/** Returns 'content' if GTIN or title agree, 'vendor and price' if vendors agree and prices are close, else null. */
export function findMatchEvidence(
  { title, vendor, variants }: Pick<DraftProduct, 'title' | 'vendor' | 'variants'>,
  copy: Pick<CopiedProduct, 'title' | 'vendor' | 'gtins' | 'price'> | null,
): MatchEvidence | null {
  if (!copy) return null;
  const gtins = variants.flatMap(({ barcode }) => findGtin(barcode)?.gtin ?? []);
  if (gtins.some((gtin) => copy.gtins.includes(gtin)) || isSameTitle(title, copy.title)) return 'content';
  const isSameVendor = normalizeText(vendor) !== '' && folded(vendor) === folded(copy.vendor);
  const [price = '', before = ''] = [variants[0]?.price, copy.price ?? ''];
  const isNear = price !== '' && before !== '' && !isPriceJump(Number(before), Number(price));
  return isSameVendor && isNear ? 'vendor and price' : null;
}

/** Matches a word of ASCII letters. Titles without one may have equal ASCII letters by chance. */
const word = /[a-z]{3}/i;

const isSameTitle = (one: string, other: string): boolean =>
  folded(one) === folded(other) || (word.test(one) && hashLetters(one) === hashLetters(other));

const folded = (text: string) => normalizeText(text).toLowerCase();

/** The owner of a key: the same supplier, another supplier, or null for a merchant or an unknown owner. */
export type KeyOwner = 'own' | 'other' | null;

/** `own`: same product. `agrees`, `differs`: maybe. `doubtful`: only a number agrees. `others`: another supplier's. */
export type MatchStanding = 'own' | 'agrees' | 'differs' | 'doubtful' | 'others';

/** `isItemNumber`: the key is an item number of one product, even if that number stands in for a missing SKU. */
export type MatchFacts = {
  kind: ProductKeyKind;
  isItemNumber: boolean;
  owner: KeyOwner;
  agreement: MatchEvidence | null;
};

/** Returns the standing of a match. Null for no match: equal item numbers of two suppliers prove nothing. */
export function rateMatch({ kind, isItemNumber, owner, agreement }: MatchFacts): MatchStanding | null {
  if (owner === 'own') return agreement === null ? 'doubtful' : 'own';
  if (owner === 'other') return isItemNumber && agreement !== 'content' ? null : 'others';
  if (agreement !== null) return 'agrees';
  return isItemNumber || kind === 'item' ? 'doubtful' : 'differs';
}

/**
 * Returns the action for a match about which the operator made no choice. If it is `skip`, the operator is asked, too.
 * The saved preference `whenInStore` updates neither a product that has only a key in common nor another supplier's
 * product. `isChosen`: `whenInStore` was chosen for this push, so it applies to all but another supplier's products.
 */
export function defaultMatchChoice(
  standing: MatchStanding,
  { whenInStore, isChosen }: { whenInStore: MatchChoice; isChosen: boolean },
): MatchChoice {
  if (standing === 'own') return 'update';
  if (standing === 'others') return 'skip';
  if (standing === 'agrees' || isChosen) return whenInStore;
  return standing === 'doubtful' || whenInStore === 'update' ? 'skip' : whenInStore;
}
