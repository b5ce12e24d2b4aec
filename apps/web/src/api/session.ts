import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { createStore } from '../lib/storage.ts';
import { type Reply, toCacheKey } from './call.ts';

export const needsLogin = (status: Reply<'authStatus'>): boolean =>
  status.requiresAuth && !status.authenticated;

/** Shows the login without a new read of the authentication status. */
export function requireLogin(client: QueryClient): void {
  client.setQueryData(toCacheKey('authStatus'), { authenticated: false, requiresAuth: true });
}

/** Shows the login after a reply with status 401, and notes the path if a session was open. */
export function endSession(client: QueryClient): void {
  const status = client.getQueryData<Reply<'authStatus'>>(toCacheKey('authStatus'));
  if (status?.authenticated) noteSessionEnd();
  requireLogin(client);
}

/**
 * `path`: where the session ended; null once the operator has returned there. `typed`: unsaved input by screen, until
 * the screen is mounted again. Both are kept only in memory, and a sign-out clears them.
 */
const none: { path: string | null; typed: ReadonlyMap<string, unknown> } = { path: null, typed: new Map() };
const end = createStore(none);

export const noteSessionEnd = (): void =>
  end.set({ ...end.get(), path: end.get().path ?? location.pathname + location.search });
export const clearReturnPath = (): void => end.set({ ...end.get(), path: null });
export const forgetSessionEnd = (): void => end.set(none);

export const useSessionEnd = end.use;

/** Returns the input that `useKeepInput` kept for a screen; undefined if there is none. */
export const readKeptInput = <T>(key: string): T | undefined => end.get().typed.get(key) as T | undefined;

/** Keeps a screen's input if the session ends. `typed` returns the input, or undefined if there is none. */
export function useKeepInput(key: string, typed: () => unknown): void {
  const keep = useEffectEvent((value: unknown) => {
    const others = [...end.get().typed].filter(([other]) => other !== key);
    end.set({ ...end.get(), typed: new Map(value === undefined ? others : [...others, [key, value]]) });
  });
  const keepAtEnd = useEffectEvent(() => end.get().path !== null && keep(typed()));
  useEffect(() => {
    // The mounted screen has read its kept input, so the kept copy is removed.
    keep(undefined);
    return () => void keepAtEnd();
  }, []);
}
