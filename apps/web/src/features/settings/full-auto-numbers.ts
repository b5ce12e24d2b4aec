import { autoPushRanges, type Preferences } from '@draftshelf/domain/access/preferences';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { formatCount } from '../../lib/intl.ts';
import { preferencesRead } from './settings-api.ts';

export type NumberName = keyof typeof autoPushRanges;

export const numberNames = Object.keys(autoPushRanges) as NumberName[];

export const numberLabels: Record<NumberName, string> = {
  autoPushDelayMinutes: 'Wait before a push (minutes)',
  autoPushMax: 'Largest import to push (products)',
};

/** `error`: reason why it cannot be saved. */
export type EnteredNumber = {
  name: NumberName;
  label: string;
  text: string;
  error: string | null;
  save: () => Promise<void>;
};

export type EnteredNumbers = Partial<Record<NumberName, EnteredNumber>>;

/** Digits, also with separators before groups of three: '2500', '2,500', '2 500'. */
const wholeNumber = /^(?:\d+|\d{1,3}(?:[\s,]\d{3})+)$/;

/** Null: no whole number, or out of range. */
export function numberIn(name: NumberName, text: string): number | null {
  const { min, max } = autoPushRanges[name];
  const typed = text.trim();
  const number = wholeNumber.test(typed) ? Number(typed.replaceAll(/\D/g, '')) : -1;
  return number >= min && number <= max ? number : null;
}

const units: Record<NumberName, string> = { autoPushDelayMinutes: 'minutes', autoPushMax: 'products' };

/** 'from 0 to 1,440 minutes' */
export const rangeWords = (name: NumberName): string =>
  `from ${formatCount(autoPushRanges[name].min)} to ${formatCount(autoPushRanges[name].max)} ${units[name]}`;

/** Undefined: equals the saved number. */
export function enteredNumber(
  client: QueryClient,
  name: NumberName,
  text: string,
  saved: Preferences,
): EnteredNumber | undefined {
  const number = numberIn(name, text);
  if (number === saved[name]) return undefined;
  const error = number === null ? `Enter a whole number ${rangeWords(name)}.` : null;
  const save = () => saveNumber(client, { [name]: number ?? saved[name] });
  return { name, label: numberLabels[name], text, error, save };
}

async function saveNumber(client: QueryClient, body: Partial<Preferences>): Promise<void> {
  client.setQueryData(preferencesRead().queryKey, await call('savePreferences', { body }));
}
