import { type NumberFormat, shownCurrency } from '../book/number-format.ts';
import { numberText } from '../sheet/stored-value.ts';

/** What the element of a cell says of its value; null where it says nothing. */
export type OdsValue = {
  type: string | null;
  value: string | null;
  currency: string | null;
  date: string | null;
  time: string | null;
  boolean: string | null;
  formula: string | null;
};

/** The text of a cell that is not a text; null if its paragraphs are its text. `shown` is what they are. */
export function storedText(cell: OdsValue, shown: string): string | null {
  switch (cell.type) {
    case 'float':
      return isArticleNumber(cell, shown)
        ? shown
        : number(cell, shownCurrency(shown) ?? decimalsShown(shown, Number(cell.value)));
    case 'percentage':
      return number(cell, { kind: 'percent' });
    case 'currency':
      return number(
        cell,
        cell.currency ? { kind: 'currency', before: '', after: ` ${cell.currency}` } : null,
      );
    case 'date':
      return showsShortDate(shown) ? null : (cell.date?.replace('T', ' ').replace(/[.,]\d+$/, '') ?? null);
    case 'time':
      return durationText(cell.time ?? '');
    case 'boolean':
      return cell.boolean?.toUpperCase() ?? null;
    default:
      return null;
  }
}

const number = ({ value }: OdsValue, format: NumberFormat | null) => numberText(value ?? '', format, false);

/** Whether a date is shown without its year or its day, which is more likely a size or a code: '10-12', '12. Oct'. */
const showsShortDate = (shown: string) =>
  /^[\p{L}\d]{1,9}(?:\. ?|[-/ ])[\p{L}\d]{1,9}\.?$/u.test(shown) && !/\d{3}/.test(shown);

/** Whether the format shows a whole number as 00123, 12-345 or ART-0042. */
function isArticleNumber({ value }: OdsValue, shown: string): boolean {
  const digits = shown.replace(/\D/g, '');
  return (
    (/^0\d/.test(digits) || /\d-\d/.test(shown)) && !/[.,]/.test(shown) && Number(digits) === Number(value)
  );
}

/** Three digits may be thousands, unless the number is smaller than they would be. */
function decimalsShown(shown: string, value: number): NumberFormat | null {
  const [, digits] = (Math.abs(value) < 1000 ? /[.,](\d{1,3})$/ : /[.,](\d\d?)$/).exec(shown) ?? [];
  return digits === undefined ? null : { kind: 'decimals', count: digits.length };
}

/** A duration like PT14H30M00S as 14:30:00. */
function durationText(duration: string): string | null {
  const [whole, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/.exec(duration) ?? [];
  return whole === undefined
    ? null
    : [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
