import { Group } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { scannedListKeys } from '../../lib/sign-out-storage.ts';
import { Button } from '../../ui/button.tsx';
import { Question } from '../../ui/feedback/question.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useAuthStatus, useLogoutEverywhere } from './auth-api.ts';

/** Ends the sessions of all browsers, after a question. Not there without sign-in. */
export function SignOutEverywhere() {
  const [isAsking, setAsking] = useState(false);
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
      <Question
        opened={isAsking}
        title="Sign out everywhere?"
        confirm="Sign Out Everywhere"
        keep="Stay Signed In"
        onConfirm={start}
        onClose={() => setAsking(false)}
      >
        All browsers are signed out, including this one. Imports and pushes continue.
        {isAsking &&
          scannedListKeys().length > 0 &&
          ' The codes of Scan Many in this browser aren’t saved yet, and are removed.'}
      </Question>
    </Group>
  );
}
