import type { MatchChoice } from '../access/preferences.ts';
import { gtinIn } from '../base/gtin.ts';
import type { DraftProduct } from '../products/draft-product.ts';
import type { ProductKeyKind } from '../products/product-keys.ts';
import { hashLetters } from '../suppliers/hash-text.ts';
import { plainText } from '../suppliers/plain-value.ts';
import { isPriceJump } from './auto-push.ts';
import type { CopiedProduct } from './copied-product.ts';

/** Evidence that two products with the same key are one product. */
export type Agreement = 'content' | 'vendor and price';

/** A GTIN or the title's letters agree, or the vendor and a price that differs by half at most; null: nothing does. */
export function agreementOf(
  { title, vendor, variants }: Pick<DraftProduct, 'title' | 'vendor' | 'variants'>,
  copy: Pick<CopiedProduct, 'title' | 'vendor' | 'gtins' | 'price'> | null,
): Agreement | null {
  if (!copy) return null;
  const gtins = variants.flatMap(({ barcode }) => gtinIn(barcode)?.gtin ?? []);
  if (gtins.some((gtin) => copy.gtins.includes(gtin)) || isSameTitle(title, copy.title)) return 'content';
  const isSameVendor = plainText(vendor) !== '' && folded(vendor) === folded(copy.vendor);
  const [price = '', before = ''] = [variants[0]?.price, copy.price ?? ''];
  const isNear = price !== '' && before !== '' && !isPriceJump(Number(before), Number(price));
  return isSameVendor && isNear ? 'vendor and price' : null;
}

/** In other scripts the ASCII letters of two titles may be equal by chance, so that a whole word of them is needed. */
const word = /[a-z]{3}/i;

const isSameTitle = (one: string, other: string): boolean =>
  folded(one) === folded(other) || (word.test(one) && hashLetters(one) === hashLetters(other));

const folded = (text: string) => plainText(text).toLowerCase();

/** The same supplier, another one, or a merchant or unknown. */
export type KeyOwner = 'own' | 'other' | null;

/** `own`: it is that product. `agrees` and `differs`: it may be. `doubtful`: only a number agrees. */
export type MatchStanding = 'own' | 'agrees' | 'differs' | 'doubtful' | 'others';

/** `isItemNumber`: the key is an item number of one of both, also as a missing SKU. */
export type MatchFacts = {
  kind: ProductKeyKind;
  isItemNumber: boolean;
  owner: KeyOwner;
  agreement: Agreement | null;
};

/** Null: no match. Equal item numbers of two suppliers mean nothing. */
export function standingOf({ kind, isItemNumber, owner, agreement }: MatchFacts): MatchStanding | null {
  if (owner === 'own') return agreement === null ? 'doubtful' : 'own';
  if (owner === 'other') return isItemNumber && agreement !== 'content' ? null : 'others';
  if (agreement !== null) return 'agrees';
  return isItemNumber || kind === 'item' ? 'doubtful' : 'differs';
}

/**
 * The action for a match without a choice about it; `skip` also asks. The preference never updates a product that has
 * only a key in common, and not other suppliers'. `isChosen`: for this push alone, so it holds whatever they have in
 * common.
 */
export function choiceOfStanding(
  standing: MatchStanding,
  { whenInStore, isChosen }: { whenInStore: MatchChoice; isChosen: boolean },
): MatchChoice {
  if (standing === 'own') return 'update';
  if (standing === 'others') return 'skip';
  if (standing === 'agrees' || isChosen) return whenInStore;
  return standing === 'doubtful' || whenInStore === 'update' ? 'skip' : whenInStore;
}
