import type { NumberFormat } from '../book/number-format.ts';
import { dateText, durationText, shortDateText } from './date-text.ts';
import { decimalOf, unmistakable, withDecimals } from './number-text.ts';

/** The text of a stored number: what the supplier stored, as it can be read in only one way. */
export function numberText(stored: string, format: NumberFormat | null, is1904: boolean): string {
  const value = stored.trim() === '' ? Number.NaN : Number(stored);
  if (!Number.isFinite(value)) return stored;
  switch (format?.kind) {
    case 'date':
      return shownDate(dateText(value, format.hasDate, format.hasTime, is1904), format) ?? decimalOf(value);
    case 'duration':
      return durationText(value, format.unit, format.hasSeconds) ?? decimalOf(value);
    case 'percent':
      return `${unmistakable(decimalOf(Number((value * 100).toPrecision(15))))}%`;
    case 'currency':
      return `${format.before}${unmistakable(decimalOf(value))}${format.after}`;
    case 'decimals':
      return withDecimals(decimalOf(value), format.count);
    case 'padded':
      return paddedText(value, format.parts) ?? decimalOf(value);
    default:
      return decimalOf(value);
  }
}

const shownDate = (date: string | null, { shown }: { shown?: readonly string[] }): string | null =>
  date === null || shown === undefined ? date : shortDateText(date, shown);

/** A whole number with the zeros and the text of its format; null if the format does not show it so. */
function paddedText(value: number, parts: readonly (string | null)[]): string | null {
  const places = parts.filter((part) => part === null).length;
  if (!Number.isInteger(value) || value < 0 || value >= 1e15) return null;
  const digits = String(value).padStart(places, '0');
  const surplus = digits.length - places;
  const [first, ...others] = digits.slice(surplus);
  // The first place takes all digits that are more than places.
  const shown = [digits.slice(0, surplus) + first, ...others];
  return parts.map((part) => part ?? shown.shift()).join('');
}
