import { type CanonicalField, optionValueFields } from './canonical-fields.ts';

/** Fields of codes and sizes. A date in these fields is usually a code that a spreadsheet changed. */
export const codeAndSizeFields: ReadonlySet<CanonicalField> = new Set([
  ...(['sku', 'itemNumber', 'handle', 'parentSku'] as const),
  ...optionValueFields,
]);

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Short names of months in spreadsheets of many languages, in addition to the names from `Intl`. */
const further = `mrz mrt maj mai okt dez janv fevr avr juil aout gen mag giu lug ago set ott dic ene abr agos sept dez fev out
  led uno bre dub kve cvn cvc srp zar rij lis pro sty lut kwi cze lip sie wrz paz gru maerz marc apr maj jun jul aug szept
  tammi helmi maalis huhti touko kesa heina elo syys loka marras joulu oca sub nis haz tem agu eyl eki kas ara
  янв фев мар апр мая июн июл авг сен окт ноя дек січ лют бер кві тра чер лип сер вер жов лис гру`;
const languages = 'en de fr es it pt nl sv da nb fi pl cs sk hu ro tr ru uk el hr sl et lv lt bg'.split(' ');

const months: ReadonlySet<string> = new Set([
  ...further.trim().split(/\s+/),
  ...languages.flatMap((language) =>
    (['short', 'long'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at) =>
        folded(format.format(Date.UTC(2024, at, 1)).replace(/\.$/, '')),
      );
    }),
  ),
]);

/** Short names of months that are also words: 'Set 12', 'Pro 14'. */
const alsoWords = new Set('set pro led sub lip lis rij tem mag gen out dic bre ara red sie'.split(' '));

const year = '(?:19|20)\\d\\d';
const numeric = new RegExp(
  `^(?:\\d{4}-\\d\\d-\\d\\d(?:[ T]00:00(?::00(?:\\.0+)?)?Z?)?|\\d{1,2}([./-])\\d{1,2}\\1${year}|\\d{1,2}月\\d{1,2}日|\\d{1,2}월 ?\\d{1,2}일|(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2})\\.\\d\\d)$`,
);
/** A month with a day or a year: '2-Jan', 'Mrz 24', 'mar.14', '14 févr.'. */
const withName = /^(?:(\d{1,2})(?:[-/. ]|\. )(\p{L}{3,10})\.?|(\p{L}{3,10})(?:\.?[-/ ]|\.)(\d\d))$/u;

/** Whether a text is a date that a spreadsheet wrote with a year of four digits. */
export const isDateWithYear = (text: string): boolean =>
  isSpreadsheetDate(text) && /^\d{4}-|\d{4}$/.test(text);

/** Numbers that spreadsheets make of codes such as '12E2' and '45E6'. */
const exponent = /^\d(?:[.,]\d+)?E\+\d\d$/;

/** Whether a text is a date that a spreadsheet made of '1-2' or 'MAR-24', or a number that it made of '12E2'. */
export function isSpreadsheetDate(text: string): boolean {
  if (text.length < 5 || text.length > 24) return false;
  if (exponent.test(text)) return true;
  if (numeric.test(text)) return true;
  const [, day, ofDay, ofYear] = withName.exec(text) ?? [];
  const name = ofDay ?? ofYear;
  // A month in capitals is a code that a person typed, because spreadsheets do not write months in capitals.
  if (name === undefined || name === name.toUpperCase() || (day !== undefined && Number(day) > 31))
    return false;
  return months.has(folded(name)) && !(text.includes(' ') && alsoWords.has(folded(name)));
}
