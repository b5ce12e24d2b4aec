import { type CanonicalField, moneyFields, type RowValues } from '../../base/canonical-fields.ts';
import { isMeaninglessHeader } from '../../reading/mapping/header-words.ts';
import { findAddressOrPrice } from './addresses-and-prices.ts';
import { foldText } from './fold-text.ts';
import { toSentText, toShownText } from './sent-text.ts';
import { findUnit } from './units.ts';
import { isWithheldName } from './withheld-names.ts';

const columnsMax = 10;
const nameCharsMax = 60;
const valueCharsMax = 200;

/** Amounts in a currency that is also a word or a unit ('990 Ft', '120 TL'), or with a dash for decimals ('69.-'). */
const otherAmounts =
  /\d ?(?:tl|din|kn|rs)(?![\p{L}\p{N}])|\d{3} ?ft(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])rs\.? ?\d|\d[.,] ?[-–—]{1,2}(?!\d)/u;
/** Words before prices and phone numbers. Columns with such words are withheld, but proposals may contain them. */
const priceWords = [
  /(?<![\p{L}])(?:prices?|priced|msrp|rrp|uvp|pvp|fiyati?|hinta|harga|preis(?:e|en|wert)?|prix|precio|prezzo|prijs|preco|pris|cena|цена)(?![\p{L}])/u,
  /(?<![\p{L}])(?:discount|coupon|gutschein|rabatt|rabais|descuento|sconto|korting|desconto|promo|sale price|on sale|save \d)/u,
  /(?<![\p{L}])(?:call|phone|tel|telefon\w*|telephone|whatsapp|звоните|telefono|appelez|anrufen)(?![\p{L}])[^\n]{0,30}\d[\d ()./-]{4,}/u,
];
/** Currency codes that are everyday words in lower case. */
const capitals = 'ALL|TRY|PEN|MAD|COP|CLP|ARS|PHP|IDR|MYR|SGD|TWD|EGP|KES|NGN|PKR';
const capitalAmounts = new RegExp(
  `\\d ?(?:${capitals})(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:${capitals}) ?\\d`,
  'u',
);
/** File names, names of kinds of codes ('SKU'), and words about stock. */
const otherText =
  /\.(?:jpe?g|png|gif|webp|avif|svg|pdf|mp4|zip|csv|xlsx?|docx?)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:skus?|upc|ean|gtin|asin|mpn|barcode)(?![\p{L}\p{N}])|(?:in|out of|on)[ _-]stock|out_of_stock|auf lager|en stock|op voorraad|skladem|i lager|pa lager|na skladzie|в наличии/u;
/** Text that has neither letters nor dimension marks: a price, a count or a code. */
const numbersOnly = /^(?=.*\p{N})[\p{N}\p{Z}\s.,٫٬'’%/:+#*_-]+$/u;

export type UnmappedColumn = { name: string; values: readonly string[] };

/** Returns the unmapped columns that may be sent: at most ten, none with addresses, money, codes or people. */
export const selectSentColumns = <T extends UnmappedColumn>(columns: readonly T[]): T[] =>
  columns.values().filter(isFit).take(columnsMax).toArray();

function isFit({ name, values }: UnmappedColumn): boolean {
  const used = values.filter((value) => value.trim() !== '');
  if (used.length === 0 || isWithheldName(name) || used.some(isWithheld) || areCodes(used)) return false;
  // In a column without a meaningful name, '12 pcs' may be the stock, so the column is not sent.
  return !isMeaninglessHeader(name) || !used.every((value) => count.test(foldText(value)));
}

const count =
  /^\d+ ?(?:pcs?|ct|units?|stk?|stuck|ks|szt|sztuk|kpl|db|buc|ud|uds|un|pz|шт|件|个|個|本|枚|개)\.?$/u;

/** Returns whether a value is withheld. Its text in a browser is also tested, so that markup hides nothing. */
function isWithheld(value: string): boolean {
  return [toSentText(value, valueCharsMax), toShownText(value, valueCharsMax)].some((text) => {
    const folded = foldText(text);
    return (
      hasContactOrPrice(folded) ||
      otherAmounts.test(folded) ||
      capitalAmounts.test(text) ||
      otherText.test(folded) ||
      numbersOnly.test(folded)
    );
  });
}

const hasContactOrPrice = (folded: string): boolean =>
  findAddressOrPrice(folded) !== null || priceWords.some((pattern) => pattern.test(folded));

/** Returns whether more than half of a column's values look like codes, such as SKUs. */
const areCodes = (values: readonly string[]): boolean => values.filter(isCode).length * 2 > values.length;

const codeDigitsMin = 3;

/** Returns whether a value consists of codes such as 'KX-2201': words of letters and digits that are not measures. */
function isCode(value: string): boolean {
  const tokens = value.split(/[\s,;|]+/).filter((token) => token !== '');
  return tokens.length > 0 && tokens.every(isCodeToken);
}

function isCodeToken(written: string): boolean {
  const token = foldText(written);
  if (!/^[\p{L}\p{N}\p{M}._/#:-]+$/u.test(token)) return false;
  const digits = token.match(/\d/g)?.length ?? 0;
  const letters = token.match(/\p{L}+/gu) ?? [];
  if (letters.length === 0) return false;
  const isMeasure = /^\d/.test(token) && letters.every((unit) => unit === 'x' || findUnit(unit) !== null);
  return !isMeasure && (digits >= codeDigitsMin || isDashedCode(written));
}

/** Returns true for capitals with dashes such as 'BL-22' and 'WOL-COAT-CH', but not for 'USB-C' and 'T-SHIRT'. */
function isDashedCode(token: string): boolean {
  const [first = '', ...others] = token.split(/[_/-]/);
  if (!/^[\p{Lu}\d_/-]+$/u.test(token) || others.length === 0 || first === '') return false;
  return others.length > 1 || (token.match(/\d/g)?.length ?? 0) > 1;
}

/** Returns a product's column as it is sent, or null if its value may not be sent. */
export function toSentColumn(
  name: string,
  value: string,
  own: WithheldData = { codes: [], amounts: [] },
): { name: string; value: string } | null {
  const sent = { name: toSentText(name, nameCharsMax), value: toSentText(value, valueCharsMax) };
  if (sent.value === '' || sent.name === '' || isWithheld(value) || isCode(sent.value)) return null;
  const squeezed = withoutMarks(sent.value);
  if (own.codes.some((code) => squeezed.includes(code))) return null;
  return amountsIn(sent.value).some((amount) => own.amounts.includes(amount)) ? null : sent;
}

/** Returns whether an option value may be sent: it contains no address or price, and is not a code of the product. */
export const canSendOption = (value: string, { codes }: WithheldData): boolean =>
  !hasContactOrPrice(foldText(value)) && !codes.includes(withoutMarks(value));

/** Codes and amounts in fields that are never sent. Sent columns must not repeat them. */
export type WithheldData = { codes: readonly string[]; amounts: readonly string[] };

const codeFields = ['sku', 'upc', 'itemNumber', 'tcin', 'parentSku'] as const;
/** Shorter codes are ignored, because they occur in other texts by chance. */
const codeCharsMin = 4;

export function findWithheldData(rows: readonly RowValues[]): WithheldData {
  const of = (fields: readonly CanonicalField[]) =>
    rows.flatMap((row) => fields.map((field) => row[field] ?? ''));
  const codes = of(codeFields).map(withoutMarks);
  return {
    codes: [...new Set(codes)].filter((code) => code.length >= codeCharsMin && /\d/.test(code)),
    amounts: [...new Set(of(moneyFields).flatMap(amountsIn))],
  };
}

const withoutMarks = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
const amountsIn = (text: string): string[] =>
  (foldText(text).match(/(?<!\d)\d+[.,]\d\d(?!\d)/g) ?? []).map((amount) => amount.replace(',', '.'));
