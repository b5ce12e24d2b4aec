import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { CallError, call, NoReplyError } from '../../api/call.ts';

/** While the server is lost, its health is checked this often unless other calls do so. */
const probeMs = 5000;

/** `lostSinceMs`: time of the last reply while no call of any screen gets a reply. */
export type ServerContact = { lostSinceMs: number | null };

type Signal = 'replied' | 'lost';

function watchContact(client: QueryClient) {
  let contact: ServerContact = { lostSinceMs: null };
  let repliedMs = Date.now();
  let settledMs = repliedMs;
  const listeners = new Set<() => void>();
  let probing: ReturnType<typeof setInterval> | undefined;
  const probe = () => {
    if (Date.now() - settledMs < probeMs) return;
    call('health').then(
      () => take('replied'),
      () => take('lost'),
    );
  };
  const take = (signal: Signal | null) => {
    if (signal === null) return;
    settledMs = Date.now();
    if (signal === 'replied') repliedMs = settledMs;
    if ((signal === 'lost') === (contact.lostSinceMs !== null)) return;
    contact = { lostSinceMs: signal === 'lost' ? repliedMs : null };
    clearInterval(probing);
    if (signal === 'lost') probing = setInterval(probe, probeMs);
    for (const listener of listeners) listener();
  };
  return {
    get: () => contact,
    subscribe(listener: () => void) {
      listeners.add(listener);
      const stops = [
        client.getQueryCache().subscribe((event) => {
          if (event.type === 'updated') take(signalOf(event.action));
        }),
        client.getMutationCache().subscribe((event) => {
          if (event.type === 'updated') take(signalOf(event.action));
        }),
      ];
      return () => {
        listeners.delete(listener);
        clearInterval(probing);
        for (const stop of stops) stop();
      };
    },
  };
}

type Action = { type: string; manual?: boolean; error?: unknown };

/** Null: the event shows neither. */
export function signalOf({ type, manual, error }: Action): Signal | null {
  if (type === 'success') return manual === true ? null : 'replied';
  if (type !== 'error') return null;
  if (error instanceof NoReplyError) return 'lost';
  return error instanceof CallError ? 'replied' : null;
}

export function useServerContact(): ServerContact {
  const client = useQueryClient();
  const [watch] = useState(() => watchContact(client));
  return useSyncExternalStore(watch.subscribe, watch.get);
}
