import { Group } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazily } from '../../lib/load-chunk.ts';
import { scannedListKeys } from '../../lib/sign-out-storage.ts';
import { Button } from '../../ui/button.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useEver } from '../../ui/hooks/use-ever.ts';
import { useAuthStatus, useLogoutEverywhere } from './auth-api.ts';

const Confirm = lazily(() => import('../../ui/feedback/confirm.tsx').then((chunk) => chunk.Confirm));

/** Ends the sessions of all browsers, after a question. Not there without sign-in. */
export function SignOutEverywhere() {
  const [isAsking, setAsking] = useState(false);
  // Stays mounted once opened, because the dialog returns the focus while it closes.
  const isMounted = useEver(isAsking);
  const logout = useLogoutEverywhere();
  const navigate = useNavigate();
  const failure = useFailureToast();
  const start = () => {
    setAsking(false);
    logout.mutate(undefined, {
      onSuccess: () => {
        failure.dismiss();
        navigate('/login');
      },
      onError: (error) => failure.show('Sign Out Failed', error.message),
    });
  };
  if (useAuthStatus().data?.requiresAuth !== true) return null;
  return (
    <Group>
      <Button variant="default" onClick={() => setAsking(true)}>
        Sign Out Everywhere
      </Button>
      {isMounted && (
        <Suspense fallback={null}>
          <Confirm
            opened={isAsking}
            title="Sign out everywhere?"
            confirm="Sign Out Everywhere"
            keep="Stay Signed In"
            onConfirm={start}
            onClose={() => setAsking(false)}
          >
            All browsers are signed out, including this one. Imports and pushes continue.
            {scannedListKeys().length > 0 &&
              ' The codes of Scan Many in this browser are not saved yet, and are removed.'}
          </Confirm>
        </Suspense>
      )}
    </Group>
  );
}
