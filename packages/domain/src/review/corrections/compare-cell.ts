import { findFormulaIssue } from '../../base/formula.ts';
import { convertDecimalComma, parseMoney } from '../../base/money.ts';

type Mark = ',' | '.';

/** Decimal marks of the download (`decimals`) and of the returned file (`given`). `isLossy`: it lost characters. */
export type CellCompareOptions = { decimals?: Mark | undefined; given?: Mark | undefined; isLossy?: boolean };

/**
 * The result for a cell that a spreadsheet has saved. 'same': equal, maybe in another form. 'date': turned into a
 * date. 'formula': a formula or its error. 'unclear': the same number only if the decimal mark has changed.
 */
export type CellVerdict = 'same' | 'changed' | 'date' | 'formula' | 'unclear';

export function compareCell(before: string, after: string, reading: CellCompareOptions = {}): CellVerdict {
  const [was, is] = [normalizeCell(before), normalizeCell(after)];
  if (was === is || isOtherForm(was, is, reading)) return 'same';
  if (isSameNumber(was, is, reading, { isSure: false })) return 'unclear';
  if (findFormulaIssue(is) !== null || /^#{2,}$/.test(is)) return 'formula';
  return dateText.test(is) && mayBecomeDate.test(was) ? 'date' : 'changed';
}

/** Removes white space that spreadsheets change: CRs of line breaks, and spaces at the ends. */
export const normalizeCell = (cell: string): string => cell.replace(/\r\n?/g, '\n').trim();

function isOtherForm(was: string, is: string, reading: CellCompareOptions): boolean {
  if (was === '' || is === '') return false;
  return (
    isSameNumber(was, is, reading, { isSure: true }) ||
    (secondsOf(was) !== null && secondsOf(was) === secondsOf(is)) ||
    (booleanOf(was) !== undefined && booleanOf(was) === booleanOf(is)) ||
    (was.length > cellCharsMax && was.slice(0, cellCharsMax).trim() === is) ||
    (reading.isLossy === true && isWithoutCharacters(was, is))
  );
}

/** Characters to which Excel cuts a cell. */
const cellCharsMax = 32_767;

/** TRUE and FALSE as spreadsheets write them in English, German, French, Spanish and Italian. */
const booleans = new Map<string, boolean>([
  ...['true', 'wahr', 'vrai', 'verdadero', 'vero'].map((word) => [word, true] as const),
  ...['false', 'falsch', 'faux', 'falso'].map((word) => [word, false] as const),
]);
const booleanOf = (text: string): boolean | undefined => booleans.get(text.toLowerCase());

const time = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?: ([AP])M)?$/;

/** Returns the seconds of '16:9', '16:09:00' or '04:09:00 PM', or null for other texts. */
function secondsOf(text: string): number | null {
  const [, hours, minutes, seconds = 0, half] = time.exec(text) ?? [];
  if (hours === undefined) return null;
  const ofDay = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'P' ? 12 : 0);
  return (ofDay * 60 + Number(minutes)) * 60 + Number(seconds);
}

const scientific = /^[+-]?\d+(?:[.,](\d+))?e[+-]?\d+$/i;
const [exactDigits, shownCharsMax] = [15, 11];

/** The most characters of a text that is compared as a number. */
const numberCharsMax = 64;

/** With `isSure`, a text has only one reading. Otherwise '1.299' may be 1.299 or 1299. */
function isSameNumber(
  was: string,
  is: string,
  { decimals, given }: CellCompareOptions,
  { isSure }: { isSure: boolean },
): boolean {
  if (Math.max(was.length, is.length) > numberCharsMax) return false;
  if (isOtherCurrency(was, is, decimals !== undefined)) return false;
  const before = amountsOf(was, isSure ? (decimals ?? markOf(was)) : undefined);
  const power = scientific.exec(is);
  if (power) {
    const shown = Number(is.replace(',', '.')).toExponential(power[1]?.length ?? 0);
    return before.some((amount) => Number(amount).toExponential(power[1]?.length ?? 0) === shown);
  }
  // The corrections file's own decimal mark comes first, because a spreadsheet may write commas in all columns.
  const amounts = new Set(amountsOf(is, given ?? (isSure ? (decimals ?? markOf(is)) : undefined)));
  return before.some((amount) => shownForms(amount).some((form) => amounts.has(form)));
}

/** Returns the decimal mark of a text: a comma if it is before the last three digits ('1,299'), else a point. */
const markOf = (text: string): Mark => (/,\d{3}\D*$/.test(text) ? ',' : '.');

/** Returns whether currencies differ. '10' is not 'Top 10', but an amount may gain a currency, and '$' may be 'USD'. */
function isOtherCurrency(was: string, is: string, isAmount: boolean): boolean {
  const [one = '', other = ''] = [was, is].map(currencyMark);
  if (one === other) return false;
  if (one === '' || other === '') return !isAmount;
  const [before, after] = [parseMoney(was)?.currency ?? null, parseMoney(is)?.currency ?? null];
  if (isAmount && before !== null && after !== null) return before !== after;
  const code = before ?? after;
  return code === null || ![one, other].every((mark) => mark === code || mark === signOf(code));
}

const currencyMark = (text: string): string =>
  scientific.test(text) ? '' : text.replace(/[\d\s.,'’()%+\-−–—]/g, '').toUpperCase();

/** Returns the sign of a currency code: '$' for 'USD'. */
const signOf = (currency: string): string | undefined =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')
    ?.value.toUpperCase();

/** Returns a number as it is and as spreadsheets change it: to 15 exact digits, or to the 11 characters Excel shows. */
function shownForms(amount: string): string[] {
  if (/^\d{16,}$/.test(amount)) {
    const unit = 10n ** BigInt(amount.length - exactDigits);
    const units = BigInt(amount) / unit;
    return [amount, ...[units, units + 1n].map((first) => String(first * unit))];
  }
  const [whole = '', decimals = ''] = amount.split('.');
  const shown = Math.max(0, shownCharsMax - 1 - whole.length);
  return decimals.length > shown ? [amount, String(Number(Number(amount).toFixed(shown)))] : [amount];
}

/** Returns the numbers that a text can mean, in shortest form. Without `decimals`, ',' or '.' may be the mark. */
function amountsOf(text: string, decimals: Mark | undefined): string[] {
  if (scientific.test(text)) return [String(Number(text.replace(',', '.')))];
  const [, open, sign, number = '', percent = ''] =
    /^(\(?)([+\-−]?)\s*([^()%]+?)\s*(%?)\)?$/.exec(text) ?? [];
  const isNegative = open === '(' || (sign !== undefined && sign !== '' && sign !== '+');
  const readings = [
    ...(decimals === ',' ? [] : [number]),
    ...(decimals === '.' ? [] : [convertDecimalComma(number)]),
  ];
  return readings.flatMap((one) => {
    const amount = parseMoney(one)?.amount;
    if (amount === undefined) return [];
    const shortest = amount.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
    return [`${isNegative && shortest !== '0' ? '-' : ''}${shortest}${percent}`];
  });
}

/** Characters of Windows-1252 that Latin-1 lacks. */
const ofWindows = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Returns whether `is` is the text `was` in an encoding that replaces some characters by '?' or plain letters. */
function isWithoutCharacters(was: string, is: string): boolean {
  if (was.length !== is.length) return false;
  for (let at = 0; at < was.length; at += 1) {
    const [before, after] = [was.charAt(at), is.charAt(at)];
    if (before === after) continue;
    if (before <= '\xFF' || (ofWindows.has(before) && after !== '?')) return false;
    if (after !== '?' && after !== '_' && after !== before.normalize('NFKD').charAt(0)) return false;
  }
  return true;
}

const monthName = '\\p{L}{3,5}\\.?';
/** Dates as spreadsheets write them: '4-Mar', '04. Mrz', 'Mar-24', '04.03.2026', '2026-03-04 00:00:00'. */
const dateText = new RegExp(
  `^(?:\\d{1,2}(?:-|\\. ?| )${monthName}(?:[- ]\\d{2,4})?|${monthName}[- ]\\d{2,4}|` +
    '\\d{1,4}([./-])\\d{1,2}\\1\\d{1,4}(?: 00?:00(?::00)?)?)$',
  'u',
);
/** Texts that spreadsheets turn into dates: '3/4', '12.50', 'MAR-24', 'SEPT2', '2026-03-04'. */
const mayBecomeDate =
  /^(?:\d{1,4}|\p{L}{3,9})(?:[-./]|\. ?| )?(?:\d{1,4}|\p{L}{3,9})(?:[-./ ]{1,2}\d{1,4})?(?: \d\d?:\d\d(?::\d\d)?)?$/u;
