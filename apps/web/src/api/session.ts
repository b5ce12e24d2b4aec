import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { Reply } from './call.ts';
import { readKey } from './read.ts';

export const needsLogin = (status: Reply<'authStatus'>): boolean =>
  status.requiresAuth && !status.authenticated;

/** Shows the login without asking for the auth status again. */
export function closeGate(client: QueryClient): void {
  client.setQueryData(readKey('authStatus'), { authenticated: false, requiresAuth: true });
}

/** The server no longer knows the session. Also called after a wrong key, when no session has ended. */
export function endSession(client: QueryClient): void {
  const status = client.getQueryData<Reply<'authStatus'>>(readKey('authStatus'));
  if (status?.authenticated) noteSessionEnd();
  closeGate(client);
}

/**
 * `path`: place of the session's end until the operator is back there. `typed`: unsaved input until its screen has it
 * again. Only in memory; a sign-out forgets it.
 */
type SessionEnd = { path: string | null; typed: ReadonlyMap<string, unknown> };

const none: SessionEnd = { path: null, typed: new Map() };
let now = none;
const listeners = new Set<() => void>();

function set(next: SessionEnd): void {
  now = next;
  for (const listener of listeners) listener();
}

export const noteSessionEnd = (): void =>
  set({ ...now, path: now.path ?? location.pathname + location.search });
export const noteReturn = (): void => set({ ...now, path: null });
export const forgetSessionEnd = (): void => set(none);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSessionEnd = (): SessionEnd => useSyncExternalStore(subscribe, () => now);

/** The first state of a screen that `useKeepTyped` kept; undefined: none. */
export const keptTyped = <T>(key: string): T | undefined => now.typed.get(key) as T | undefined;

/** Keeps a screen's input when the session ends. `typed` returns undefined if there is none. */
export function useKeepTyped(key: string, typed: () => unknown): void {
  const keep = useEffectEvent((value: unknown) => {
    const others = [...now.typed].filter(([other]) => other !== key);
    set({ ...now, typed: new Map(value === undefined ? others : [...others, [key, value]]) });
  });
  const keepAtEnd = useEffectEvent(() => now.path !== null && keep(typed()));
  useEffect(() => {
    // The screen has it now.
    keep(undefined);
    return () => void keepAtEnd();
  }, []);
}
