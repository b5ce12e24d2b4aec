import type { NumberFormat } from '../book/number-format.ts';
import { padDecimals, toDecimalText, withUnambiguousDecimals } from './number-text.ts';

/** Returns a stored number as unambiguous text, by its format. Text that is not a number is unchanged. */
export function toNumberText(stored: string, format: NumberFormat | null, is1904: boolean): string {
  const value = stored.trim() === '' ? Number.NaN : Number(stored);
  if (!Number.isFinite(value)) return stored;
  switch (format?.kind) {
    case 'date':
      return (
        shownDate(dateText(value, format.hasDate, format.hasTime, is1904), format) ?? toDecimalText(value)
      );
    case 'duration':
      return durationText(value, format.unit, format.hasSeconds) ?? toDecimalText(value);
    case 'percent':
      return `${withUnambiguousDecimals(toDecimalText(Number((value * 100).toPrecision(15))))}%`;
    case 'currency':
      return `${format.before}${withUnambiguousDecimals(toDecimalText(value))}${format.after}`;
    case 'decimals':
      return padDecimals(toDecimalText(value), format.count);
    case 'padded':
      return paddedText(value, format.parts) ?? toDecimalText(value);
    default:
      return toDecimalText(value);
  }
}

const shownDate = (date: string | null, { shown }: { shown?: readonly string[] }): string | null =>
  date === null || shown === undefined ? date : shortDateText(date, shown);

function paddedText(value: number, parts: readonly (string | null)[]): string | null {
  const places = parts.filter((part) => part === null).length;
  if (!Number.isInteger(value) || value < 0 || value >= 1e15) return null;
  const digits = String(value).padStart(places, '0');
  const surplus = digits.length - places;
  const [first, ...others] = digits.slice(surplus);
  // If the number has more digits than the format, the surplus digits come before the first digit.
  const shown = [digits.slice(0, surplus) + first, ...others];
  return parts.map((part) => part ?? shown.shift()).join('');
}

const dayMs = 86_400_000;
const daySeconds = 86_400;
/** 31 December 9999, Excel's last day. */
const serialMax = 2_958_465;
const days1904 = 1462;
const epochMs = Date.UTC(1899, 11, 30);

/** Returns a date or time as text, or null if the serial number is not a date. */
function dateText(serial: number, hasDate: boolean, hasTime: boolean, is1904: boolean): string | null {
  let day = Math.floor(serial);
  let seconds = Math.round((serial - day) * daySeconds);
  if (seconds === daySeconds) [day, seconds] = [day + 1, 0];
  if (serial < 0 || (is1904 ? day + days1904 : day) > serialMax) return null;
  const time = timeText(seconds, true);
  if (day === 0 && hasTime && !hasDate) return time;
  const date = dayText(day, is1904);
  if (date === null) return null;
  return (hasTime && hasDate) || seconds > 0 ? `${date} ${time}` : date;
}

/** Returns a date in a short format. `parts`: runs of d, m and y, and the text between them. */
function shortDateText(date: string, parts: readonly string[]): string {
  const [year = '', month = '', day = ''] = date.split('-');
  // The date is not a plain date: it has a time that the format hides, or it is 29 February 1900.
  if (day.length !== 2 || Number.isNaN(Date.parse(date))) return date;
  const name = new Date(date).toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' });
  const texts: Readonly<Record<string, string>> = {
    ...{ d: String(Number(day)), dd: day, yy: year.slice(2) },
    ...{ m: String(Number(month)), mm: month, mmm: name.slice(0, 3), mmmm: name, mmmmm: name.slice(0, 1) },
  };
  return parts.map((part) => texts[part] ?? part).join('');
}

/** Returns a duration as [h]:mm or [m]:ss show it, where hours may exceed 24. Null if it is negative. */
function durationText(serial: number, unit: 'h' | 'm' | 's', hasSeconds: boolean): string | null {
  if (serial < 0 || serial > serialMax) return null;
  const seconds = Math.round(serial * daySeconds);
  if (unit === 's') return String(seconds);
  if (unit === 'm') return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
  return timeText(seconds, hasSeconds || seconds % 60 > 0);
}

function timeText(seconds: number, hasSeconds: boolean): string {
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return hasSeconds ? `${text}:${two(seconds % 60)}` : text;
}

/** Returns the date of a day number. Excel counts a nonexistent 29 February 1900, so days before are off by one. */
function dayText(day: number, is1904: boolean): string | null {
  if (is1904) return isoDay(day + days1904);
  if (day === 60) return '1900-02-29';
  if (day < 1) return null;
  return isoDay(day < 60 ? day + 1 : day);
}

const isoDay = (day: number) => new Date(epochMs + day * dayMs).toISOString().slice(0, 10);

const two = (number: number) => String(number).padStart(2, '0');
