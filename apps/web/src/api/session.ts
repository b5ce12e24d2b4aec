import type { QueryClient } from '@tanstack/react-query';
import { noteSessionEnd } from '../lib/session-end.ts';
import type { Reply } from './call.ts';
import { readKey } from './read.ts';

export function needsLogin(status: Reply<'authStatus'>): boolean {
  return status.requiresAuth && !status.authenticated;
}

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
