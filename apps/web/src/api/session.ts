import type { QueryClient } from '@tanstack/react-query';
import type { Reply } from './call.ts';
import { readKey } from './read.ts';

/** Whether the server requires a login and there is no session. */
export function needsLogin(status: Reply<'authStatus'>): boolean {
  return status.requiresAuth && !status.authenticated;
}

/** Shows the login, without asking for the auth status again. */
export function closeGate(client: QueryClient): void {
  client.setQueryData(readKey('authStatus'), { authenticated: false, requiresAuth: true });
}
