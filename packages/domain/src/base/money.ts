export type Money = {
  /** Decimal text with '.' and without grouping. It has all digits of the cell. */
  amount: string;
  /** ISO 4217 code if the cell names one unambiguously ('$' alone does not), else null. */
  currency: string | null;
  /** The sign in the cell, if only a few currencies share it: 'kr', 'Rs', '¥'. */
  sign?: string;
};

/** Currencies, keyed by a sign that they share. '$' is left out, because too many currencies share it. */
const currenciesOfSign: Record<string, string> = {
  '¥': 'JPY CNY',
  kr: 'SEK NOK DKK ISK',
  Rs: 'INR PKR LKR NPR MUR SCR',
  FCFA: 'XOF XAF',
};

const signIn = (text: string): string | undefined => {
  const plain = text.trim().toUpperCase().replace(/\.$/, '').replace('F CFA', 'FCFA');
  return Object.keys(currenciesOfSign).find((sign) => sign.toUpperCase() === plain);
};

/** Whether a currency is one of those that share a sign. */
export const usesSign = (currency: string, sign: string): boolean =>
  currenciesOfSign[signIn(sign) ?? '']?.includes(currency) === true;

/** Currencies with their signs, abbreviations and names, in upper case. */
const signsOfCurrencies = `
  USD US$, CAD CA$ C$, AUD A$ AU$, NZD NZ$, HKD HK$, TWD NT$, BRL R$, EUR € EURO EUROS, GBP £, INR ₹,
  KRW ₩ 원, RUB ₽ РУБ РУБ. Р. РУБЛЕЙ, TRY ₺ TL, UAH ₴ ГРН ГРН., VND ₫ VNĐ ĐỒNG, ILS ₪ NIS, PHP ₱, THB ฿ บาท,
  PLN ZŁ, CZK KČ, CHF FR FR., RON LEI, HUF FT, BGN ЛВ ЛВ., CNY 元, JPY 円, SAR ر.س ر.س., AED د.إ د.إ.,
  PEN S/ S/., IDR RP RP., MYR RM, ZAR R, KES KSH, RSD DIN.
`;
/** Parses a text such as 'EUR € EURO, GBP £', in which names follow their code. Returns the codes by name. */
export const parseCurrencyNames = (text: string): Map<string, string> =>
  new Map(
    text.split(',').flatMap((words) => {
      const [currency = '', ...names] = words.trim().split(' ');
      return names.map((name) => [name, currency] as const);
    }),
  );
const currencyBySign = new Map<string, string | null>([
  ...['$', '¥', 'KR', 'KR.', 'RS', 'RS.', 'FCFA', 'F CFA'].map((sign) => [sign, null] as const),
  ...parseCurrencyNames(signsOfCurrencies),
]);
const currencyCodes = new Set(Intl.supportedValuesOf('currency'));

const grouped = (mark: string, group: string): RegExp =>
  new RegExp(`^([1-9]\\d{0,2}(?:${group}\\d{2,3})*${group}\\d{3})(?:${mark}(\\d+))?$`);
/** Notations of numbers: group 1 is the whole part, group 2 the decimals. The first match is used. */
const notations = [
  /^(\d+)$/,
  /^(\d*)\.(\d+)$/,
  grouped('\\.', ','),
  grouped(',', '\\.'),
  grouped('[.,]', ' '),
  grouped('[.,]', "['’]"),
  /^(\d*),(\d+)$/,
  /^(\d+)[.,]$/,
];

/** A dash in place of the decimals, as in 'CHF 69.-', '1899,-', '249:-' and '₹ 2,499/-'. */
const dashedDecimals = /(\d)(?:[.,] ?|[:/])[-–—]{1,2}(?=[^\d]*$)/;
/** Points that separate thousands before a dash, as in '2.450,-'. */
const groupsBeforeDash = /\d{1,3}(?:\.\d{3})+(?=, ?[-–—]{1,2}[^\d]*$)/;
/** An abbreviated sign with a point before the number, as in 'Rs. 5', 'kr.5' and 'د.إ. 5'. */
const signWithPoint = /^(rs|rp|kr|fr|s\/|د\.إ|ر\.س)\.?(?=\s*[\d.,])/i;
/** A dash in place of the whole units, as in '–.80'. */
const dashedWhole = /^[–—](?=[.,]\d{2}$)/;
/** A suffix that means a price per piece. */
const ofOne =
  /(?<=\d)\s*(?:(?:\/|per\s)?\s*(?:ea|each)|p\.\s?st|\/\s*1?\s*(?:pcs?|pce|piece|unit|st|stk|stück|szt|sztuka|ks|kus|db|kpl|stuk|pz|pza|pezzo|pieza|ud|un|und|unid|u|adet|шт|個|个|件|개))\.?$/iu;
/** A footnote mark after the decimals, as in '12,90¹' and '149,00*'. */
const footnote = /(?<=\d[.,]\d{2})\s?(?:[¹²³⁴-⁹]{1,2}\)?|[*†‡]{1,3})$/;
/** Superscript digits. NFKC would turn '12⁹⁰' into 1290. */
const raisedDigit = /[¹²³⁰⁴-⁹]/;
/** The zeros of Arabic, Persian, Indian, Thai and other scripts, whose digits NFKC leaves as they are. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xed0, 0x1040, 0x17e0];
/** Matches digits of the scripts above, and the decimal and thousands marks of Arabic amounts. */
const otherDigit = `[${zeros.map((zero) => String.fromCharCode(zero, 0x2d, zero + 9)).join('')}\\u066b\\u066c]`;
const otherDigits = new RegExp(otherDigit, 'g');

/** Longer cells are text and are not parsed. */
const moneyLengthMax = 64;

/**
 * Parses a whole cell as money: an optional currency sign or code on either side, grouping, one decimal mark, a dash
 * for no decimals ('69.-'). Null for everything else: empty cells, words, ranges, negative and scientific numbers.
 * '1,234' is one thousand, '1.234' and '0,123' are decimals.
 */
export function parseMoney(text: string): Money | null {
  if (text.length > moneyLengthMax) return null;
  const from = findNumberStart(text);
  if (from === text.length && isAscii(text)) return null;
  const to = findNumberEnd(text, from);
  const before = affixOf(text.slice(0, from));
  const after = affixOf(text.slice(to));
  const usual = before && after ? usualDecimal(text.slice(from, to)) : undefined;
  if (before && after && usual !== undefined) return moneyOf(before, usual, after);
  const [, sign = '', , digits = '', , signAfter = ''] = moneyParts.exec(moneyCell(text)) ?? [];
  return moneyOf(readAffix(sign), decimalText(digits.replace(/\s+/g, ' ')), readAffix(signAfter));
}

function moneyOf(before: Affix, amount: string | null, after: Affix): Money | null {
  if (amount === null || before.currency === undefined || after.currency === undefined) return null;
  const currency = before.currency ?? after.currency;
  const sign = currency === null ? (before.mark === '' ? after.sign : before.sign) : undefined;
  return sign === undefined ? { amount, currency } : { amount, currency, sign };
}

const [digit0, digit9, point, comma, asciiMax] = [0x30, 0x39, 0x2e, 0x2c, 0x7f];
export const isDigit = (code: number) => code >= digit0 && code <= digit9;
const isOfNumber = (code: number) => isDigit(code) || code === point || code === comma;

/** Returns the index of the first digit, point or comma in a cell, or the cell's length if it has none of them. */
export function findNumberStart(text: string): number {
  let from = 0;
  while (from < text.length && !isOfNumber(text.charCodeAt(from))) from += 1;
  return from;
}

/** Returns the index after the last digit, point or comma of a cell, or `from` if none follows. */
export function findNumberEnd(text: string, from: number): number {
  let to = text.length;
  while (to > from && !isOfNumber(text.charCodeAt(to - 1))) to -= 1;
  return to;
}

/**
 * Returns the decimal text of a number with at most one point and one comma, else undefined. This fast path has no
 * regular expression, because the rules for all notations take ten times as long.
 */
function usualDecimal(number: string): string | undefined {
  let [first, last] = [-1, -1];
  for (let at = 0; at < number.length; at += 1) {
    const code = number.charCodeAt(at);
    if (isDigit(code)) continue;
    if ((code !== point && code !== comma) || first !== last) return undefined;
    last = at;
    if (first < 0) first = at;
  }
  if (first < 0) return number === '' ? undefined : withoutZeros(number);
  if (first === 0 || last === number.length - 1) return undefined;
  const isGroup = first <= 3 && number.charCodeAt(0) !== digit0;
  if (first === last) {
    if (number.charCodeAt(first) === point) return withoutZeros(number);
    const [whole, decimals] = [number.slice(0, first), number.slice(first + 1)];
    return isGroup && decimals.length === 3 ? whole + decimals : `${withoutZeros(whole)}.${decimals}`;
  }
  if (!isGroup || last - first !== 4 || number.charAt(first) === number.charAt(last)) return undefined;
  return `${number.slice(0, first)}${number.slice(first + 1, last)}.${number.slice(last + 1)}`;
}

function withoutZeros(number: string): string {
  let from = 0;
  while (number.charCodeAt(from) === digit0 && isDigit(number.charCodeAt(from + 1))) from += 1;
  return from === 0 ? number : number.slice(from);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > asciiMax) return false;
  return true;
}

/** Text beside a number. `currency`: undefined if the text is no currency, null if the text is empty or ambiguous. */
type Affix = { mark: string; currency: string | null | undefined; sign: string | undefined };
const noAffix: Affix = { mark: '', currency: null, sign: undefined };
/** Longer texts are not currencies. A cached slice of a long text would also keep the whole text in memory. */
const affixCharsMax = 12;
const affixesMax = 1000;
const affixesBefore = new Map<string, Affix | null>();

/** Returns the meaning of a text before or after a number, or null if the text may be part of the number. */
function affixOf(text: string): Affix | null {
  if (text === '') return noAffix;
  if (text.length > affixCharsMax) return null;
  let affix = affixesBefore.get(text);
  if (affix === undefined) {
    const mark = text.normalize('NFKC').trim();
    affix = findNumberStart(mark) < mark.length || oddMark.test(mark) ? null : readAffix(mark);
    if (affixesBefore.size >= affixesMax) affixesBefore.clear();
    affixesBefore.set(text, affix);
  }
  return affix;
}

const readAffix = (mark: string): Affix => ({ mark, currency: parseCurrency(mark), sign: signIn(mark) });

/** Whether a cell is an amount below 0, which `parseMoney` rejects. */
export function isBelowZero(text: string): boolean {
  const withoutMinus = text.replace(/^([^\d.,]*?)[-−]/, '$1');
  return withoutMinus !== text && Number(parseMoney(withoutMinus)?.amount ?? 0) > 0;
}

/** Groups: a sign or code, spaces, the number, spaces, a sign or code. */
const moneyParts = /^([^\d.,]*?)(\s*)([\d.,](?:[\d.,'’ ]*[\d.,])?)(\s*)([^\d.,][^\d]*)?$/u;

/** Marks of the special notations above. Most cells have none. */
const oddMark = new RegExp(`[-–—*†‡/]|ea|p\\.|^(?:rs|rp|kr|fr|s/)\\.|^[در]\\.|${otherDigit}`, 'i');

function moneyCell(text: string): string {
  const plain = text.trim().replace(footnote, '');
  if (raisedDigit.test(plain)) return '';
  const cell = plain.normalize('NFKC').trim();
  if (!oddMark.test(cell)) return cell;
  return cell
    .replace(otherDigits, latinMark)
    .replace(dashedWhole, '0')
    .replace(groupsBeforeDash, (number) => number.replaceAll('.', ''))
    .replace(dashedDecimals, '$1')
    .replace(signWithPoint, (_, sign: string) => (sign.includes('.') ? (parseCurrency(sign) ?? sign) : sign))
    .replace(ofOne, '');
}

function latinMark(mark: string): string {
  if (mark === '\u066b') return '.';
  if (mark === '\u066c') return ',';
  const code = mark.charCodeAt(0);
  return String(code - (zeros.findLast((zero) => zero <= code) ?? code));
}

/** Replaces the amount in a cell that `parseMoney` can read. The currency sign or code stays in its place. */
export function replaceAmount(text: string, amount: string): string {
  return moneyCell(text).replace(moneyParts, (_cell, sign, space, _number, spaceAfter, signAfter = '') =>
    [sign, space, amount, spaceAfter, signAfter].join(''),
  );
}

/** Returns the ISO code in a cell of a currency column, or null. */
export function readCurrency(text: string | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? '';
  return currencyCodes.has(code) ? code : null;
}

/** Returns the ISO code of an amount's currency: from its cell, else from the row's currency column, else null. */
export const currencyOfAmount = ({ currency }: Money, column: string | undefined): string | null =>
  currency ?? readCurrency(column);

/** Returns the ISO code of a currency sign or code; null if the text is empty or ambiguous, undefined if neither. */
export function parseCurrency(text: string): string | null | undefined {
  const mark = text.trim().toUpperCase();
  if (mark === '') return null;
  const known = currencyBySign.get(mark);
  if (known !== undefined) return known;
  if (currencyCodes.has(mark)) return mark;
  const signAndCode = /^(\S+)\s+(\S+)$/.exec(mark);
  return signAndCode
    ? (parseCurrency(signAndCode[1] ?? '') ?? parseCurrency(signAndCode[2] ?? ''))
    : undefined;
}

function decimalText(number: string): string | null {
  for (const notation of notations) {
    const match = notation.exec(number);
    if (!match) continue;
    const whole = (match[1] ?? '').replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
    return match[2] === undefined ? whole : `${whole}.${match[2]}`;
  }
  return null;
}

const groupedByPoints = /^([^\d.,]*)(\d{1,3}(?:\.\d{3})+)([^\d.,]*)$/;
const threeDecimals = /^([^\d.,]*)(\d+),(\d{3})([^\d.,]*)$/;

/**
 * Rewrites an amount from a column with decimal commas for `parseMoney`: '1.299' becomes '1299', and '1,250' becomes
 * '1.250'. Other texts are returned unchanged.
 */
export function convertDecimalComma(text: string): string {
  if (text.length > moneyLengthMax) return text;
  // A shortcut for nearly all cells: they have fewer than three digits after their last mark.
  const markAt = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (markAt < 0 || !isDigit(text.charCodeAt(markAt + 3))) return text;
  const points = groupedByPoints.exec(text);
  if (points) return `${points[1]}${points[2]?.replaceAll('.', '')}${points[3]}`;
  const decimals = threeDecimals.exec(text);
  return decimals ? `${decimals[1]}${decimals[2]}.${decimals[3]}${decimals[4]}` : text;
}

/** Formats a price as '$1234.50'. Half a cent rounds up. Empty and non-numeric texts become '$0.00'. */
export function formatDollars(text: string | null | undefined): string {
  const amount = parseMoney(text ?? '')?.amount ?? '0';
  const [whole = '0', decimals = ''] = amount.split('.');
  const padded = decimals.padEnd(3, '0');
  const cents = BigInt(whole + padded.slice(0, 2)) + (padded.charCodeAt(2) >= 53 ? 1n : 0n);
  const digits = cents.toString().padStart(3, '0');
  return `$${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
