import { useSyncExternalStore } from 'react';

type Is<T> = (value: unknown) => value is T;

type IsAll<T> = { [K in keyof T]-?: (value: unknown) => boolean };

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

export const isNullOr = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);

export const isUndefinedOr = (is: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || is(value);

export const hasShape =
  <T extends object>(fields: IsAll<T>): Is<T> =>
  (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<(value: unknown) => boolean>(fields).every(([name, is]) =>
      is((value as Record<string, unknown>)[name]),
    );

/** Returns the result of `work`, or undefined if `work` throws, for example because the browser stores nothing. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const forgetters: (() => void)[] = [];

/** Clears all lists that are kept until the tab is closed. */
export function clearSessionLists(): void {
  for (const forget of forgetters) forget();
  attempt(() => sessionStorage.clear());
}

/** A list that is kept until the tab is closed. It starts empty if `is` rejects a stored item, as after an update. */
export function createSessionList<Item>(key: string, is: Is<Item>) {
  const list = createStore(readList(key, is));
  const set = (next: readonly Item[]) => {
    attempt(() => sessionStorage.setItem(key, JSON.stringify(next)));
    list.set(next);
  };
  forgetters.push(() => set([]));
  return { ...list, set };
}

function readList<Item>(key: string, is: Is<Item>): readonly Item[] {
  const list: unknown = attempt(() => JSON.parse(sessionStorage.getItem(key) ?? '[]'));
  return Array.isArray(list) && list.every(is) ? list : [];
}

/** store-seen: the operator has opened the store. steps-over: the first steps are done or hidden. */
type Remembered = 'store-seen' | 'steps-over';

const keyOf = (what: Remembered) => `draftshelf.${what}`;

/** Whether `remember` was called in this browser. False if the browser stores nothing. */
export const isRemembered = (what: Remembered): boolean =>
  attempt(() => localStorage.getItem(keyOf(what)) !== null) ?? false;

export const remember = (what: Remembered): void => attempt(() => localStorage.setItem(keyOf(what), 'yes'));

/** Notes that the operator has opened the store. Called by links to products in the store. */
export const rememberStoreSeen = (): void => remember('store-seen');

/** Storage key, set from a sign-out until a login has removed this browser's data. Setting it notifies other tabs. */
export const signedOutKey = 'draftshelf-signed-out';
/** Prefix of the storage keys of unsaved scanned codes. Each code has its own key. */
export const scannedListKey = 'draftshelf-batch-scan';

export const listScannedListKeys = (): string[] =>
  attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(scannedListKey))) ?? [];

/** Sets `signedOutKey`, which also notifies other tabs. */
export const markSignedOut = (): void => attempt(() => localStorage.setItem(signedOutKey, 'yes'));

/** Creates a value outside of React, to which components and other code can subscribe. */
export function createStore<Value>(first: Value) {
  let now = first;
  const listeners = new Set<() => void>();
  const get = () => now;
  const set = (next: Value) => {
    now = next;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { get, set, subscribe, use: () => useSyncExternalStore(subscribe, get) };
}
