import { useSyncExternalStore } from 'react';

export type Is<T> = (value: unknown) => value is T;

type IsAll<T> = { [K in keyof T]-?: (value: unknown) => boolean };

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

export const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);

export const orNone = (is: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || is(value);

export function hasShape<T extends object>(fields: IsAll<T>): Is<T> {
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<(value: unknown) => boolean>(fields).every(([name, is]) =>
      is((value as Record<string, unknown>)[name]),
    );
}

const forgetters: (() => void)[] = [];

/** Forgets all lists that are kept until the tab is closed. */
export function forgetSession(): void {
  for (const forget of forgetters) forget();
  try {
    sessionStorage.clear();
  } catch {
    // Without storage nothing outlives the page.
  }
}

/** Also kept over a reload. `is` checks a stored item. Empty without storage, or for another version's list. */
export function sessionList<Item>(key: string, is: Is<Item>) {
  let list = readList(key, is);
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => list;
  const set = (next: readonly Item[]) => {
    list = next;
    try {
      sessionStorage.setItem(key, JSON.stringify(list));
    } catch {
      // Without storage the list lasts as long as the page.
    }
    for (const listener of listeners) listener();
  };
  forgetters.push(() => set([]));
  return { get, set, use: () => useSyncExternalStore(subscribe, get) };
}

function readList<Item>(key: string, is: Is<Item>): readonly Item[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(list) && list.every(is) ? list : [];
  } catch {
    return [];
  }
}

/** The store was looked at; the steps are done or hidden. */
type Remembered = 'store-seen' | 'steps-over';

const keyOf = (what: Remembered) => `draftshelf.${what}`;

/** False where a browser keeps nothing. */
export function isRemembered(what: Remembered): boolean {
  try {
    return localStorage.getItem(keyOf(what)) !== null;
  } catch {
    return false;
  }
}

export function remember(what: Remembered): void {
  try {
    localStorage.setItem(keyOf(what), 'yes');
  } catch {
    // Without storage the steps are shown again.
  }
}

/** Called by links to products in the store. */
export const rememberStore = (): void => remember('store-seen');

/** Set from a sign-out until the sign-in page has removed this browser's data. Other tabs hear of it. */
export const signedOutKey = 'draftshelf-signed-out';
/** Prefix of the keys of unsaved scanned codes, one per line. */
export const scannedListKey = 'draftshelf-batch-scan';

export function scannedListKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(scannedListKey));
  } catch {
    return [];
  }
}

/** Also tells the other tabs. */
export function markSignedOut(): void {
  try {
    localStorage.setItem(signedOutKey, 'yes');
  } catch {
    // Without storage there is nothing to remove.
  }
}
