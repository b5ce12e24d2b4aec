import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';
import { closeGate } from '../../api/session.ts';
import { forgetSessionEnd } from '../../lib/session-end.ts';
import { markSignedOut } from '../../lib/sign-out-storage.ts';

export function useAuthStatus() {
  return useQuery(readOf('authStatus'));
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
      forgetSessionEnd();
      closeGate(client);
    },
  });
}
