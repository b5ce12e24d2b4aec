export type Money = {
  /** Decimal text with '.' and without grouping, with all digits of the cell. */
  amount: string;
  /** ISO 4217 code if the cell names one unambiguously ('$' alone does not), else null. */
  currency: string | null;
  /** Its sign, if some currencies have it, but few: 'kr', 'Rs', '¥'. */
  sign?: string;
};

/** Signs of some currencies, but few, and these. That of dollars says too little. */
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

/** Whether amounts in a currency may have a sign. */
export const hasSign = (currency: string, sign: string): boolean =>
  currenciesOfSign[signIn(sign) ?? '']?.includes(currency) === true;

const currencyBySign: Record<string, string | null> = {
  $: null,
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  NT$: 'TWD',
  R$: 'BRL',
  '€': 'EUR',
  '£': 'GBP',
  '¥': null,
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₫': 'VND',
  '₪': 'ILS',
  '₱': 'PHP',
  '฿': 'THB',
  ZŁ: 'PLN',
  KČ: 'CZK',
  KR: null,
  'KR.': null,
  FR: 'CHF',
  'FR.': 'CHF',
  RS: null,
  'RS.': null,
  FCFA: null,
  'F CFA': null,
  LEI: 'RON',
  FT: 'HUF',
  TL: 'TRY',
  РУБ: 'RUB',
  'РУБ.': 'RUB',
  ГРН: 'UAH',
  'ГРН.': 'UAH',
  ЛВ: 'BGN',
  'ЛВ.': 'BGN',
  元: 'CNY',
  円: 'JPY',
  원: 'KRW',
  'ر.س': 'SAR',
  'ر.س.': 'SAR',
  'د.إ': 'AED',
  'د.إ.': 'AED',
  'S/': 'PEN',
  'S/.': 'PEN',
};
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

/** How nearly every file writes prices. It is tried first, because all notations take ten times as long. */
const plainAmount = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A dash in place of the decimals, as in 'CHF 69.-', '1899,-', '249:-' and '₹ 2,499/-'. */
const dashedDecimals = /(\d)(?:[.,] ?|[:/])[-–—]{1,2}(?=[^\d]*$)/;
/** Points in front of such a dash are groups, as in '2.450,-'. */
const groupsBeforeDash = /\d{1,3}(?:\.\d{3})+(?=, ?[-–—]{1,2}[^\d]*$)/;
/** The points of an abbreviated sign in front of the number, as in 'Rs. 5', 'kr.5' and 'د.إ. 5'. */
const signWithPoint = /^(rs|kr|fr|s\/|د\.إ|ر\.س)\.?(?=\s*[\d.,])/i;
/** Says that the amount is the price of one. */
const ofOne = /(?<=\d)\s*(?:\/|per\s)?\s*(?:ea|each)\.?$/i;
/** Digits and marks of Arabic and Persian amounts; NFKC leaves them as they are. */
const arabicMarks = /[\u0660-\u0669\u06f0-\u06f9\u066b\u066c]/g;

/** Longer cells are text and are not parsed. */
const moneyLengthMax = 64;

/**
 * Parses a whole cell as money: an optional currency sign or code on either side, grouping, one decimal mark, a dash
 * for no decimals ('69.-'). Null for
 * everything else: empty, words, ranges, negative and scientific numbers. '1,234' is one thousand, '1.234' and '0,123'
 * are decimals.
 */
export function parseMoney(text: string): Money | null {
  if (text.length > moneyLengthMax) return null;
  if (plainAmount.test(text)) return { amount: text, currency: null };
  const match = moneyParts.exec(moneyCell(text));
  if (!match) return null;
  const before = currencyOf(match[1] ?? '');
  const after = currencyOf(match[5] ?? '');
  if (before === undefined || after === undefined) return null;
  const amount = decimalText((match[3] ?? '').replace(/\s+/g, ' '));
  if (amount === null) return null;
  const currency = before ?? after;
  const sign = currency === null ? signIn(match[1] || match[5] || '') : undefined;
  return sign === undefined ? { amount, currency } : { amount, currency, sign };
}

/** Whether a cell is an amount below 0, which `parseMoney` does not take. */
export function isBelowZero(text: string): boolean {
  const withoutMinus = text.replace(/^([^\d.,]*?)[-−]/, '$1');
  return withoutMinus !== text && Number(parseMoney(withoutMinus)?.amount ?? 0) > 0;
}

/** Groups: a sign or code, spaces, the number, spaces, a sign or code. */
const moneyParts = /^([^\d.,]*?)(\s*)([\d.,](?:[\d.,'’ ]*[\d.,])?)(\s*)([^\d.,][^\d]*)?$/u;

/** What only cells have that are written in one of the ways above. Most have none of it. */
const oddMark = /[-–—]|ea|^(?:rs|kr|fr|s\/)\.|^[در]\.|[\u0660-\u0669\u06f0-\u06f9\u066b\u066c]/i;

function moneyCell(text: string): string {
  const cell = text.normalize('NFKC').trim();
  if (!oddMark.test(cell)) return cell;
  return cell
    .replace(arabicMarks, latinMark)
    .replace(groupsBeforeDash, (number) => number.replaceAll('.', ''))
    .replace(dashedDecimals, '$1')
    .replace(signWithPoint, (_, sign: string) => (sign.includes('.') ? (currencyOf(sign) ?? sign) : sign))
    .replace(ofOne, '');
}

function latinMark(mark: string): string {
  if (mark === '\u066b') return '.';
  return mark === '\u066c' ? ',' : String((mark.charCodeAt(0) - 0x660) % 0x90);
}

/** A cell that parseMoney reads, with another amount: its currency sign or code stays where it is. */
export function withAmount(text: string, amount: string): string {
  return moneyCell(text).replace(moneyParts, (_cell, sign, space, _number, spaceAfter, signAfter = '') =>
    [sign, space, amount, spaceAfter, signAfter].join(''),
  );
}

/** The ISO code that a cell of a currency column holds, or null. */
export function currencyCode(text: string | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? '';
  return currencyCodes.has(code) ? code : null;
}

/** The ISO code of an amount's currency: from its own cell, else from its row's currency column; null: from neither. */
export const currencyOfAmount = ({ currency }: Money, column: string | undefined): string | null =>
  currency ?? currencyCode(column);

/** The ISO code of a currency sign or code; null if it is empty or ambiguous, undefined if it is neither. */
export function currencyOf(text: string): string | null | undefined {
  const mark = text.trim().toUpperCase();
  if (mark === '') return null;
  if (Object.hasOwn(currencyBySign, mark)) return currencyBySign[mark];
  if (currencyCodes.has(mark)) return mark;
  const signAndCode = /^(\S+)\s+(\S+)$/.exec(mark);
  return signAndCode ? (currencyOf(signAndCode[1] ?? '') ?? currencyOf(signAndCode[2] ?? '')) : undefined;
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
 * An amount from a column with decimal commas, so that parseMoney reads it right: '1.299' is 1299 there, and '1,250' is
 * 1.250. Other texts are returned as they are.
 */
export function fromDecimalComma(text: string): string {
  if (text.length > moneyLengthMax) return text;
  const points = groupedByPoints.exec(text);
  if (points) return `${points[1]}${points[2]?.replaceAll('.', '')}${points[3]}`;
  const decimals = threeDecimals.exec(text);
  return decimals ? `${decimals[1]}${decimals[2]}.${decimals[3]}${decimals[4]}` : text;
}

/** A price as '$1234.50', the specification's format. Half a cent rounds up; empty or not numeric is '$0.00'. */
export function formatDollars(text: string | null | undefined): string {
  const amount = parseMoney(text ?? '')?.amount ?? '0';
  const [whole = '0', decimals = ''] = amount.split('.');
  const padded = decimals.padEnd(3, '0');
  const cents = BigInt(whole + padded.slice(0, 2)) + (padded.charCodeAt(2) >= 53 ? 1n : 0n);
  const digits = cents.toString().padStart(3, '0');
  return `$${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
