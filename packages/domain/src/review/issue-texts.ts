import type { RowValues } from '../base/canonical-fields.ts';
import { barcodeOf, isPlaceholder } from '../base/gtin.ts';
import { isBelowZero, parseMoney } from '../base/money.ts';
import { losesDecimals, quantityToSend, readLooseQuantity } from '../base/quantity.ts';
import type { RowIssue } from './issues.ts';
import { type MatchedState, matchedStateClauses } from './matched-state.ts';
import { tagLimitName, tooLongTexts } from './store-limits.ts';

/** Sentences about issues, for operators. They are not in the catalog, because most screens get them from the API. */
const texts: Record<RowIssue, string> = {
  ...tooLongTexts,
  'bad-quote': 'Quotes on this line don’t match; read as plain text.',
  'unclosed-quote': 'A quote is never closed; read as plain text.',
  'mixed-line-ends': 'This line’s break differs from the rest of the file; read the same way.',
  'invalid-utf8': 'Some characters couldn’t be decoded and show as \uFFFD.',
  nul: 'Contains null bytes, which Shopify doesn’t accept.',
  'lone-cr': 'A cell contains an unusual line break (CR without LF); it was kept.',
  'extra-separator': 'Extra separator. The values were moved to the columns that they fit.',
  'missing-separator': 'Missing separator. The values were moved to the columns that they fit.',
  'too-few-cells': 'Fewer cells than columns. Values may be in the wrong columns.',
  'too-many-cells': 'More cells than columns. Values may be in the wrong columns.',
  'title-missing': 'Title is missing.',
  'price-missing': 'Price is missing.',
  'price-not-numeric': 'Price isn’t a valid number, so it counts as missing.',
  'upc-check-digit': 'UPC is invalid (wrong length or check digit). It’s sent as it is.',
  'upc-digits-lost': 'A spreadsheet has rounded this UPC, so it isn’t sent. Enter the full number.',
  'other-currency': 'An amount isn’t in the store’s currency. Amounts aren’t converted.',
  'in-other-import': 'Another import that isn’t pushed yet has the same SKU or UPC.',
  'price-repeated': 'This row repeats a price in another currency, so it isn’t sent.',
  'quantity-not-numeric': 'Quantity isn’t a number, so 0 is sent.',
  'quantity-negative': 'Quantity is negative. It’s sent as it is.',
  'price-zero': 'Price is 0. It’s sent as it is.',
  'compare-at-below-price': 'Compare-at price is below the price, so no discount is shown.',
  'cost-above-price': 'Cost is above the price.',
  'upc-two-codes': 'The cell has several UPCs. The first valid one is sent.',
  'image-invalid': 'Image isn’t a web address, so it isn’t sent.',
  'too-many-tags': `Over ${tagLimitName}.`,
  'parent-without-price': 'This row needs no price of its own.',
  'unknown-product': 'This row is skipped: no earlier list has its product, and a new product needs a title.',
  'formula-error': 'A formula in this row failed (such as #N/A). Its cell is read as empty.',
  'formula-not-calculated':
    'A formula in this row was never calculated. Open the file in Excel, save it, and upload it again.',
  'made-a-date':
    'A spreadsheet has probably changed a code or size into a date or number. Enter the original.',
  'guard-cost': 'Price is closer to the cost than this supplier’s guard allows.',
  'guard-column': 'Price is below the value in the column that this supplier’s guard names.',
  'guard-change': 'The supplier changed this price by more than the guard allows.',
  'third-decimal': 'An amount has three decimals, unlike the others in its column. Check it.',
  'amount-inferred': 'An amount could be read in two ways. It’s read like the other numbers of the file.',
  'quantity-loose':
    'Quantity is a word, or a range such as “10+”, of which the lower number is sent. Or another column has a quantity that isn’t sent.',
  'quantity-missing':
    'No quantity. A new product is created with 0, as sold out, if its quantity is tracked. An existing product keeps its quantity.',
  'price-of-several': 'The file says that this price is for several pieces, or for a unit that isn’t known.',
  'image-page': 'An image is a page of a file service, not a picture, so it isn’t sent.',
  'same-options':
    'Another variant of the product has the same options. An option “Variant” tells them apart in the store.',
  'text-cleaned':
    'A cell was cleaned of invisible characters, HTML codes or wrong letters, or a UPC’s lost zero or a shared link was corrected.',
  'value-unread': 'A value isn’t sent, because its field takes another kind of value.',
  'text-garbled': 'A text is garbled, as “Ã©” for “é”. It’s sent as it is.',
};

export function issueText(
  code: RowIssue,
  { price = '', quantity = '', upc = '', cost = '' }: RowValues = {},
): string {
  if (code === 'quantity-loose') return looseText(quantity);
  if (code === 'price-not-numeric' && isBelowZero(price)) return 'Price is below 0, so it counts as missing.';
  if (code === 'upc-check-digit' && isPlaceholder(upc)) {
    return `${barcodeOf(upc)} is a sample UPC, not this product’s own. It’s sent as it is.`;
  }
  if (code === 'upc-check-digit' && barcodeOf(upc) !== upc) {
    return texts[code].replace('as it is', `as ${barcodeOf(upc)}`);
  }
  if (code === 'cost-above-price' && parseMoney(cost) === null && cost !== '') {
    return 'Cost isn’t an amount, so it isn’t sent.';
  }
  return texts[code];
}

/** Returns the sentence for a row with the same value as an earlier row. `field`: 'upc' or 'sku'. */
export const duplicateText = (field: string, firstRow: number): string =>
  `Duplicate ${field === 'upc' ? 'UPC' : 'SKU'}: same as row ${firstRow}.`;

export function sameOptionsText(others: readonly number[]): string {
  const [first, ...more] = others;
  if (first === undefined) return texts['same-options'];
  const have = more.length === 0 ? `Row ${first} has` : `Row ${first} and ${more.length} more have`;
  return `${have} the same options. An option “Variant” tells them apart in the store.`;
}

/** Returns the sentence for rows that would have the same value as other rows. `field`: 'upc' or 'sku'. */
export const sharedKeyText = (field: string): string =>
  `Another product of this import has the same ${field === 'upc' ? 'UPC' : 'SKU'}.`;

export function otherImportText(field: string, filename: string, state: MatchedState): string {
  const key = field === 'upc' ? 'UPC' : 'SKU';
  return `The same ${key} is also in ${filename}, ${matchedStateClauses[state]}.`;
}

const otherQuantity = 'Another column has a quantity, too. It isn’t sent.';

function looseText(quantity: string): string {
  const loose = readLooseQuantity(quantity);
  if (loose === null && losesDecimals(quantity))
    return `“${quantity}” is sent as ${quantityToSend(quantity)}.`;
  if (loose === null) return quantity === '' ? texts['quantity-loose'] : otherQuantity;
  if (loose.is === 'available')
    return `“${quantity}” isn’t a number. A new product isn’t tracked; existing products keep their quantity.`;
  return `“${quantity}” is sent as ${loose.is === 'none' ? 0 : loose.quantity}.`;
}
