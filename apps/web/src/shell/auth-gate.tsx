import { Button, Center, Loader, Stack, Text } from '@mantine/core';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useAuthStatus } from '../data/auth.ts';
import { Trouble } from '../ui/trouble.tsx';

/** Lets through who is signed in, or everyone where the server requires no key; else it leads to /login. */
export function AuthGate() {
  const status = useAuthStatus();
  const atLogin = useLocation().pathname === '/login';
  if (status.data === undefined) {
    return (
      <Center mih="100dvh" p="md">
        {status.isError ? (
          <Trouble title="The server does not answer." cause={status.error.message}>
            <Text size="sm">Check that Draftshelf is running, then try again.</Text>
            <Button size="sm" loading={status.isFetching} onClick={() => status.refetch()}>
              Try again
            </Button>
          </Trouble>
        ) : (
          <Stack align="center" gap="sm" role="status">
            <Loader aria-hidden />
            <Text>Loading...</Text>
          </Stack>
        )}
      </Center>
    );
  }
  const closed = status.data.requiresAuth && !status.data.authenticated;
  if (closed && !atLogin) return <Navigate to="/login" replace />;
  if (!closed && atLogin) return <Navigate to="/" replace />;
  return <Outlet />;
}
