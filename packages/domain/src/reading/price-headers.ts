import { currencyOf, parseMoney, withAmount } from '../base/money.ts';
import { headerKey, headerWords } from './mapping/header-words.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Hundredths of currencies, as `headerWords` has them. */
const centWords = words(`
  cents cent centimes centime centavos centavo centimos centimo centesimi centesimo ore oren oere haleru haler halere
  groszy grosze grosz kopek kopeks kopecks копеек копейки коп копійок kurus pence penny paise paisa filler
`);

/** Whether a header says that amounts are in hundredths: 'ct' alone may also be a carton or carats. */
export function centsIn(header: string): 'cents' | 'unsure' | null {
  const all = headerWords(header);
  if (all.some((word) => centWords.has(word))) return 'cents';
  return all.includes('ct') ? 'unsure' : null;
}

/** A whole amount in hundredths as one in units, with its sign or code. */
export function inHundreds(text: string): string {
  const amount = parseMoney(text)?.amount;
  if (amount === undefined || amount.includes('.')) return text;
  const digits = amount.padStart(3, '0');
  return withAmount(text, `${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Codes that headers name. Others are words as well, such as ALL, TOP and PEN. */
const headerCodes = words(
  'usd eur gbp cad aud nzd chf sek nok dkk pln czk huf ron bgn jpy cny hkd twd krw inr brl mxn zar ils sgd aed sar uah',
);
const headerSigns = /[€£₹₩₽₺₴₫₪₱฿]|\b(?:US|CA|AU|NZ|HK|NT|R)\$|zł|kč/iu;

/** The ISO code of the currency that a header of prices names; null: none, several, or '$' alone. */
export function currencyIn(header: string): string | null {
  const codes = headerWords(header).filter((word) => headerCodes.has(word));
  const [sign] = headerSigns.exec(header) ?? [];
  const named = new Set([
    ...codes.map((code) => code.toUpperCase()),
    ...(sign ? [currencyOf(sign) ?? ''] : []),
  ]);
  const [only = ''] = named;
  return named.size === 1 && only !== '' ? only : null;
}

/** Headers of columns that say for how many pieces a price is. */
const unitNames: ReadonlySet<string> = new Set(
  [
    'preiseinheit|preis einheit|preiseinh|preismenge|preisbasis|preis je|preis pro|pe|peinh|price unit|price per',
    'price per qty|price basis|price quantity|per qty|unit of price|pricing unit|prijseenheid|prijs per',
    'unite de prix|unite prix|prix par|prix pour|base de prix|unidad de precio|precio por|unidade de preco|preco por',
    'unita di prezzo|unita prezzo|prezzo per|prisenhet|prisenhed|pris per|pris pr|hintayksikko|jednostka ceny',
    'cena za|cenova jednotka|aregyseg|единица цены|цена за|单价单位|価格単位',
  ]
    .join('|')
    .split('|')
    .map(headerKey),
);

/** Whether a header names the number of pieces that a price is for. */
export const isPriceUnit = (header: string): boolean => unitNames.has(headerKey(header));

const pieceForm = /^(\d{1,3}(?:[.,]?\d{3})?)(?:[.,]0+)?\s*(?:\p{L}{1,8}\.?)?$/u;

/** The number of pieces in a cell: '100', '1.000 Stk'; 1 if it is none. */
export function piecesIn(cell: string | undefined): number {
  const [, digits] = cell === undefined || cell.length > 20 ? [] : (pieceForm.exec(cell.trim()) ?? []);
  return digits === undefined ? 1 : Number(digits.replace(/[.,]/, ''));
}

const inHeader =
  /(?:(?<!\p{L})(?:per|pro|je|par|por|za|pour|for|à|pr)\.?|\/)\s*(10{1,3}|1[.,]000)(?!\d)\s*(?:\p{L}{1,8}\.?)?\s*\)?$/iu;

/** The number of pieces in a header of prices: 'Preis pro 100', 'Price/1000 pcs'; null: it names none. */
export function piecesInHeader(header: string): number | null {
  const [, digits] = header.length > 200 ? [] : (inHeader.exec(header.trim()) ?? []);
  return digits === undefined ? null : Number(digits.replace(/[.,]/, ''));
}

/** The price of one piece, with its sign or code; null: it is not exact in two decimals, or the text is no amount. */
export function priceOfOne(text: string, pieces: number): string | null {
  const amount = parseMoney(text)?.amount;
  if (amount === undefined) return null;
  const [whole = '0', decimals = ''] = amount.split('.');
  const scaled = BigInt(whole + decimals) * 100n;
  const divisor = BigInt(pieces) * 10n ** BigInt(decimals.length);
  if (scaled % divisor !== 0n) return null;
  const hundredths = (scaled / divisor).toString().padStart(3, '0');
  return withAmount(text, `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`);
}
