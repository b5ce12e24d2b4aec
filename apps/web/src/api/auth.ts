import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { markSignedOut } from '../lib/sign-out-storage.ts';
import { call, type Reply } from './call.ts';
import { readKey, readOf } from './read.ts';

/** Whether the server requires a login and there is no session. */
export function needsLogin(status: Reply<'authStatus'>): boolean {
  return status.requiresAuth && !status.authenticated;
}

export function useAuthStatus() {
  return useQuery(readOf('authStatus'));
}

/** Shows the login, without asking for the auth status again. */
export function closeGate(client: QueryClient): void {
  client.setQueryData(readKey('authStatus'), { authenticated: false, requiresAuth: true });
}

/** Signs in, then sets the status in the cache. */
export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (accessKey: string) => call('login', { body: { accessKey } }),
    onSuccess: () => {
      client.setQueryData(readKey('authStatus'), { authenticated: true, requiresAuth: true });
    },
  });
}

/** Signs out and shows the login, which removes what the browser keeps. */
export function useLogout() {
  return useSignOutBy('logout');
}

/** The same for all browsers. */
export function useLogoutEverywhere() {
  return useSignOutBy('logoutEverywhere');
}

function useSignOutBy(endpoint: 'logout' | 'logoutEverywhere') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoint),
    onSuccess: () => {
      // Without an access key there are no sessions.
      if (client.getQueryData(readOf('authStatus').queryKey)?.requiresAuth !== true) return;
      markSignedOut();
      closeGate(client);
    },
  });
}
