import { describeDuration } from '@draftshelf/domain/base/format';
import { attempt } from './storage.ts';

const countFormat = new Intl.NumberFormat();
const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', month: 'short', day: 'numeric' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export const formatCount = (count: number): string => countFormat.format(count);

/** Example: '1 product', '3 products'. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Formats a time to the second. */
export const formatExactTime = (time: string | number): string => exactTime.format(new Date(time));

/** Example: '2:05 PM'. */
export const formatClock = (time: string | number): string => clock.format(new Date(time));

/** Example: 'Thu, Nov 19'. */
export const formatDay = (time: number): string => weekday.format(new Date(time));

/** Example: '2:05 PM', or 'Nov 19, 2:05 PM' on another day than `nowMs`. */
export function formatMoment(time: string, nowMs: number): string {
  const moment = new Date(time);
  const isToday = moment.toDateString() === new Date(nowMs).toDateString();
  return (isToday ? clock : dayAndClock).format(moment);
}

/** Example: 'at 2:05 PM', or 'in a moment' if that time has passed. */
export const formatDueTime = (time: string, nowMs: number): string =>
  Date.parse(time) <= nowMs ? 'in a moment' : `at ${formatMoment(time, nowMs)}`;

/** Example: '2m 5s'. Below one second it is '<1s', because '0m 0s' looks like a mistake. */
export const formatDuration = (ms: number): string => (ms < 1000 ? '<1s' : describeDuration(ms));

const relativeSteps = [
  { unit: 'second', lengthMs: 1000, untilMs: 60_000 },
  { unit: 'minute', lengthMs: 60_000, untilMs: 3_600_000 },
  { unit: 'hour', lengthMs: 3_600_000, untilMs: 86_400_000 },
  { unit: 'day', lengthMs: 86_400_000, untilMs: Number.POSITIVE_INFINITY },
] as const;

/** Example: '2 minutes ago', in the largest unit that fits. */
export function formatRelativeTime(time: string, nowMs: number): string {
  const differenceMs = new Date(time).getTime() - nowMs;
  const step =
    relativeSteps.find((candidate) => Math.abs(differenceMs) < candidate.untilMs) ?? relativeSteps[3];
  if (step.unit === 'second') return relative.format(0, 'second');
  return relative.format(Math.trunc(differenceMs / step.lengthMs), step.unit);
}

/** Joins the parts that are not empty. */
export const joinWords = (parts: readonly string[], separator = ' · '): string =>
  parts.filter((part) => part !== '').join(separator);

/** Example: 'a, b, and c'. */
export const listed = (words: readonly string[]): string => new Intl.ListFormat('en').format(words);
/** Example: 'a, b and c'. */
export const formatListBritish = (words: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(words);

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Example: '$0.60'; an unknown currency is written before the number. */
export function moneyWords(amount: number, currency: string | null): string {
  const least = 0.01;
  const isTiny = amount > 0 && amount < least;
  const shownAmount = isTiny ? least : amount;
  return `${isTiny ? 'under ' : ''}${formatMoney(shownAmount, currency ?? '')}`;
}

const formatMoney = (amount: number, currency: string): string =>
  attempt(() => new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)) ??
  `${currency} ${amount.toFixed(2)}`.trim();
