import { headerWords } from '../reading/mapping/header-words.ts';
import { monthWords } from './list-signs.ts';

/** Years in names of files: others are counts, sizes and item numbers. */
const yearMin = 2000;
const yearMax = 2099;

/**
 * The date in a file's name, at 00:00 UTC: '2026-11-26', '20261126', '26.11.2026', '2026-11' and 'november 2026'; null
 * if it has none, or if day and month could be either.
 */
export function dateInName(filename: string): Date | null {
  const found = /(?<!\d)(20\d\d)([-_. ]?)(\d\d)(?:\2(\d\d))?(?!\d)/.exec(filename);
  if (found) return dateOf(Number(found[1]), Number(found[3]), Number(found[4] ?? 1));
  const dayFirst = /(?<!\d)(\d{1,2})([-_. ])(\d{1,2})\2(20\d\d)(?!\d)/.exec(filename);
  if (dayFirst) return dateOfParts(dayFirst);
  const words = headerWords(filename);
  const month = words.map((word) => monthWords().get(word)).find((at) => at !== undefined);
  const year = words.map(Number).find((number) => number >= yearMin && number <= yearMax);
  return month === undefined || year === undefined ? null : dateOf(year, month + 1, 1);
}

/** Points are written between day and month, in this order; with other signs the month may be first. */
function dateOfParts([, one, sign, other, year]: RegExpExecArray): Date | null {
  const [first, second] = [Number(one), Number(other)];
  if (sign === '.' || first > 12 || first === second) return dateOf(Number(year), second, first);
  return second > 12 ? dateOf(Number(year), first, second) : null;
}

/** Null for a day that the month does not have. */
function dateOf(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}
