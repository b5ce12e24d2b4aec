import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { CallError, call, NoReplyError } from '../../api/call.ts';
import { createStore } from '../../lib/storage.ts';

/** Interval of health checks while the server is unreachable and no other call is made. */
const probeMs = 5000;

/** `lostSinceMs`: time of the last reply before the server became unreachable; null while it replies. */
export type ServerContact = { lostSinceMs: number | null };

type Signal = 'replied' | 'lost';

function watchContact(client: QueryClient) {
  const contact = createStore<ServerContact>({ lostSinceMs: null });
  let repliedMs = Date.now();
  let settledMs = repliedMs;
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
    if ((signal === 'lost') === (contact.get().lostSinceMs !== null)) return;
    clearInterval(probing);
    if (signal === 'lost') probing = setInterval(probe, probeMs);
    contact.set({ lostSinceMs: signal === 'lost' ? repliedMs : null });
  };
  return {
    get: contact.get,
    subscribe(listener: () => void) {
      const stops = [
        contact.subscribe(listener),
        client.getQueryCache().subscribe((event) => {
          if (event.type === 'updated') take(classifyCallEvent(event.action));
        }),
        client.getMutationCache().subscribe((event) => {
          if (event.type === 'updated') take(classifyCallEvent(event.action));
        }),
      ];
      return () => {
        clearInterval(probing);
        for (const stop of stops) stop();
      };
    },
  };
}

type Action = { type: string; manual?: boolean; error?: unknown };

/** Returns 'replied' or 'lost' if an event shows whether the server is reachable; else null. */
export function classifyCallEvent({ type, manual, error }: Action): Signal | null {
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
