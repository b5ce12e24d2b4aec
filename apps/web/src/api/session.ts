import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { createStore } from '../lib/storage.ts';
import { type Reply, readKey } from './call.ts';

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
const none: { path: string | null; typed: ReadonlyMap<string, unknown> } = { path: null, typed: new Map() };
const end = createStore(none);

export const noteSessionEnd = (): void =>
  end.set({ ...end.get(), path: end.get().path ?? location.pathname + location.search });
export const noteReturn = (): void => end.set({ ...end.get(), path: null });
export const forgetSessionEnd = (): void => end.set(none);

export const useSessionEnd = end.use;

/** The first state of a screen that `useKeepTyped` kept; undefined: none. */
export const keptTyped = <T>(key: string): T | undefined => end.get().typed.get(key) as T | undefined;

/** Keeps a screen's input when the session ends. `typed` returns undefined if there is none. */
export function useKeepTyped(key: string, typed: () => unknown): void {
  const keep = useEffectEvent((value: unknown) => {
    const others = [...end.get().typed].filter(([other]) => other !== key);
    end.set({ ...end.get(), typed: new Map(value === undefined ? others : [...others, [key, value]]) });
  });
  const keepAtEnd = useEffectEvent(() => end.get().path !== null && keep(typed()));
  useEffect(() => {
    // The screen has it now.
    keep(undefined);
    return () => void keepAtEnd();
  }, []);
}
