import { findGtin } from '@draftshelf/domain/base/gtin';
import type { DraftProduct, DraftVariant } from '@draftshelf/domain/products/draft-product';
import { toPicture } from '@draftshelf/domain/products/images';
import { isImageAddress, refusalOf } from '@draftshelf/domain/review/store-limits';

/** Returns warnings about a draft for the operator. They do not block the product; only a refusal by the store does. */
export function listDraftWarnings(
  draft: DraftProduct,
  wanted: { status: DraftProduct['status'] | null },
): string[] {
  const refusal = refusalOf(draft);
  const isDraftInstead = wanted.status !== null && wanted.status !== draft.status;
  return [
    ...thoseOf([
      [refusal !== null, `${refusal}. The product would be skipped.`],
      [isDraftInstead, `Safe Mode is on: the product is sent as a draft, not as ${wanted.status}.`],
      [draft.body_html.trim() === '', 'The description is empty.'],
    ]),
    ...imageWarnings(draft),
    ...draft.variants.flatMap((variant, index) =>
      variantWarnings(variant).map((text) =>
        draft.variants.length > 1 ? `Variant ${index + 1} (${variant.title}): ${text}` : text,
      ),
    ),
  ];
}

/** Returns the sentences that apply. */
const thoseOf = (sentences: readonly [applies: boolean, sentence: string][]): string[] =>
  sentences.flatMap(([applies, sentence]) => (applies ? [sentence] : []));

function imageWarnings({ images }: DraftProduct): string[] {
  if (images.length === 0) return ['There is no image.'];
  const isSent = (src: string) => isImageAddress(src) || toPicture(src).kind === 'own';
  const bad = images.filter(({ src }) => !isSent(src)).length;
  return bad > 0
    ? [`Image addresses that don’t start with http: ${bad}. Shopify would refuse the product.`]
    : [];
}

function variantWarnings(variant: DraftVariant): string[] {
  const { price, compare_at_price, cost, sku, barcode, inventory_quantity, inventory_management } = variant;
  const amount = Number(price);
  const isNoDiscount = compare_at_price !== null && Number(compare_at_price) <= amount;
  const isNotSent = inventory_management === null && inventory_quantity > 0;
  return thoseOf([
    [amount === 0, 'The price is 0.'],
    [isNoDiscount, 'The compare-at price is not above the price, so no discount is shown.'],
    [cost !== null && Number(cost) > amount, 'The cost is above the price.'],
    [sku === '', 'There is no SKU.'],
    [barcode !== '' && findGtin(barcode) === null, `The barcode ${barcode} isn’t a valid UPC or EAN.`],
    [inventory_quantity < 0, 'The quantity is negative.'],
    [isNotSent, 'The quantity is not tracked, so it is not sent.'],
  ]);
}
