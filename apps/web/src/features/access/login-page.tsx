import { Box, PasswordInput, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { toCacheKey } from '../../api/call.ts';
import { useSessionEnd } from '../../api/session.ts';
import { attempt, clearSessionLists, listScannedListKeys, signedOutKey } from '../../lib/storage.ts';
import { BodyText, Button, QuietText } from '../../ui/basics.tsx';
import { BrandMark, brandName, ColorSchemeSwitch, ShelfPicture } from '../../ui/brand.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { describeLoginFailure } from './auth-api.ts';

export function Component() {
  const [accessKey, setAccessKey] = useState('');
  const login = useCall('login', {
    failed: () => ({ title: 'Login Failed', text: 'Please check your access key and try again' }),
    onSuccess: (_reply, _request, cache) =>
      cache.setQueryData(toCacheKey('authStatus'), { authenticated: true, requiresAuth: true }),
  });
  const { path: endedAt, typed } = useSessionEnd();
  const navigate = useNavigate();
  const failure = useFailureToast();
  const client = useQueryClient();
  useEffect(() => forgetWork(client), [client]);
  const signIn = (event: FormEvent) => {
    event.preventDefault();
    if (accessKey.trim() === '') {
      failure.show('Error', 'Please enter your access key');
      return;
    }
    login.mutate(
      { body: { accessKey } },
      {
        onSuccess: () => {
          failure.dismiss();
          navigate(endedAt ?? '/', { replace: true });
        },
      },
    );
  };
  return (
    <Box className="stack gap-0" mih="100dvh">
      <title>{`Sign in · ${brandName}`}</title>
      <header className="flex end pad-bar">
        <ColorSchemeSwitch />
      </header>
      <Box
        component="main"
        className="stack gap-lg"
        flex={1}
        w="min(360px, 100%)"
        mx="auto"
        px="md"
        pt="max(1rem, 38dvh - 15rem)"
        pb="xl"
      >
        <ShelfPicture />
        <div className="row gap-sm">
          <BrandMark size={40} />
          <div>
            <Title order={1}>{brandName}</Title>
            <Text c="dimmed">CSV Processing System</Text>
          </div>
        </div>
        {endedAt !== null && (
          <BodyText role="status">
            {`Your session has ended. ${typed.size > 0 ? 'What you typed is kept. ' : ''}Sign in to continue where you left off.`}
          </BodyText>
        )}
        <form onSubmit={signIn} noValidate className="stack">
          <PasswordInput
            size="md"
            label="Access Key"
            labelProps={{ mb: 4 }}
            placeholder="Enter your access key"
            autoComplete="current-password"
            autoFocus
            value={accessKey}
            onChange={(event) => setAccessKey(event.currentTarget.value)}
          />
          {/* Reserves the space of the message, so that the button does not move. */}
          <Box role="alert" className="marked break-words bad size-sm" mih="2.5rem">
            {login.isError && (
              <>
                <IconAlertTriangle size={16} aria-hidden />
                <span>{describeLoginFailure(login.error)}</span>
              </>
            )}
          </Box>
          <Button type="submit" size="md" busy={login.isPending} fullWidth>
            {login.isPending ? 'Signing in...' : 'Sign In'}
          </Button>
        </form>
        <QuietText>Secure access to your processing dashboard</QuietText>
      </Box>
    </Box>
  );
}

/**
 * Removes the product data of this tab. Unsaved scanned codes are removed only after a sign-out, because only a
 * sign-out asks the operator first.
 */
function forgetWork(client: QueryClient): void {
  const [auth] = toCacheKey('authStatus');
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== auth });
  clearSessionLists();
  attempt(() => {
    if (localStorage.getItem(signedOutKey) === null) return;
    for (const key of [...listScannedListKeys(), signedOutKey]) localStorage.removeItem(key);
  });
}
