import { authStatus, login, logout } from '@draftshelf/contract/auth';
import type { ReplyOf } from '@draftshelf/contract/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import { readKey, readOf } from './read.ts';

/** Whether somebody without a session is kept out. */
export function isClosed(status: ReplyOf<typeof authStatus>): boolean {
  return status.requiresAuth && !status.authenticated;
}

export function useAuthStatus() {
  return useQuery(readOf(authStatus));
}

/** Signs in; afterwards the status in the cache says so. */
export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (accessKey: string) => call(login, { body: { accessKey } }),
    onSuccess: () => {
      client.setQueryData(readKey(authStatus.path), { authenticated: true, requiresAuth: true });
    },
  });
}

/** Signs out, forgets everything that was read, and asks anew whether a key is required. */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(logout),
    onSuccess: async () => {
      const authKey = readKey(authStatus.path);
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== authKey[0] });
      await client.invalidateQueries({ queryKey: authKey });
    },
  });
}
