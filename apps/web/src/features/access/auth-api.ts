import { useQuery } from '@tanstack/react-query';
import { readOf } from '../../api/call.ts';
import { forgetSessionEnd, requireLogin } from '../../api/session.ts';
import { markSignedOut } from '../../lib/storage.ts';
import { useCall } from '../../ui/feedback/use-call.ts';

export const useAuthStatus = () => useQuery(readOf('authStatus'));

export const useLogout = (endpoint: 'logout' | 'logoutEverywhere', failed: string) =>
  useCall(endpoint, {
    failed,
    onSuccess: (_reply, _request, client) => {
      // Without an access key there are no sessions to end.
      if (client.getQueryData(readOf('authStatus').queryKey)?.requiresAuth !== true) return;
      markSignedOut();
      forgetSessionEnd();
      requireLogin(client);
    },
  });

/** Returns the server's message, or a general text if the message is only a status. */
export const describeLoginFailure = ({ message }: Error): string =>
  /^(\d+:)?\s*$/.test(message) ? 'Authentication failed' : message;
