import { Center, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { closeGate, needsLogin } from '../api/session.ts';
import { useAuthStatus } from '../features/access/index.ts';
import { forgetSessionEnd, noteReturn, useSessionEnd } from '../lib/session-end.ts';
import { signedOutKey } from '../lib/sign-out-storage.ts';
import { brandName } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/feedback/error-panel.tsx';
import { useNotices } from '../ui/feedback/toast.tsx';
import { useListener } from '../ui/hooks/use-listener.ts';
import { Waiting } from './layout/waiting.tsx';

/** Shows the screens if signed in or if the server requires no key; otherwise redirects to /login. */
export function AuthGate() {
  const status = useAuthStatus();
  const atLogin = useLocation().pathname === '/login';
  const closed = status.data !== undefined && needsLogin(status.data);
  const { path: endedAt } = useSessionEnd();
  const { forget } = useNotices();
  const close = useEffectEvent(forget);
  useEffect(() => {
    if (closed) close();
  }, [closed]);
  const isBack = status.data !== undefined && !closed && !atLogin && endedAt !== null;
  useEffect(() => {
    if (isBack) noteReturn();
  }, [isBack]);
  const client = useQueryClient();
  useListener('window', 'storage', ({ key, newValue }) => {
    if (key !== signedOutKey || newValue === null) return;
    forgetSessionEnd();
    closeGate(client);
  });
  if (status.data === undefined) {
    if (!status.isError) return <Waiting />;
    return (
      <Center mih="100dvh" p="md" component="main">
        <h1 className="visually-hidden">{brandName}</h1>
        <ErrorPanel title="Can’t reach the server." cause={status.error.message}>
          <Text size="sm">Check that Draftshelf is running, then try again.</Text>
          <Button size="sm" loading={status.isFetching} onClick={() => status.refetch()}>
            Try Again
          </Button>
        </ErrorPanel>
      </Center>
    );
  }
  if (closed !== atLogin) return <Redirect to={closed ? '/login' : (endedAt ?? '/')} />;
  return <Outlet />;
}

/** Redirects to another screen and shows the spinner while its chunk loads. */
function Redirect({ to }: { to: string }) {
  return (
    <>
      <Waiting />
      <Navigate to={to} replace />
    </>
  );
}
