import { authStatus, login, logout, logoutEverywhere } from '@draftshelf/contract/auth';
import type { ReplyOf } from '@draftshelf/contract/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import { readKey, readOf } from './read.ts';

/** Whether the server requires a login and there is no session. */
export function needsLogin(status: ReplyOf<typeof authStatus>): boolean {
  return status.requiresAuth && !status.authenticated;
}

export function useAuthStatus() {
  return useQuery(readOf(authStatus));
}

/** Signs in, then sets the status in the cache. */
export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (accessKey: string) => call(login, { body: { accessKey } }),
    onSuccess: () => {
      client.setQueryData(readKey(authStatus.path), { authenticated: true, requiresAuth: true });
    },
  });
}

/** Signs out, shows the login, and clears the cache. */
export function useLogout() {
  return useSignOutBy(logout);
}

/** The same for all browsers. */
export function useLogoutEverywhere() {
  return useSignOutBy(logoutEverywhere);
}

function useSignOutBy(route: typeof logout | typeof logoutEverywhere) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(route),
    onSuccess: () => {
      const authKey = readKey(authStatus.path);
      // First, because a screen that is still mounted would ask again for what the cache no longer has, and be refused.
      client.setQueryData<ReplyOf<typeof authStatus>>(authKey, (status) =>
        status?.requiresAuth ? { ...status, authenticated: false } : status,
      );
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== authKey[0] });
    },
  });
}
