import { Center, Group, Loader, Stack, Text } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  createBrowserRouter,
  createPath,
  Navigate,
  Outlet,
  type RouteObject,
  RouterContextProvider,
  useLocation,
  useRouteError,
} from 'react-router';
import { clientContext } from '../api/query-client.ts';
import {
  clearReturnPath,
  forgetSessionEnd,
  needsLogin,
  requireLogin,
  useSessionEnd,
} from '../api/session.ts';
import { useAuthStatus } from '../features/access/index.ts';
import { signedOutKey } from '../lib/storage.ts';
import { BodyText, Button, PlainButton } from '../ui/basics.tsx';
import { brandName } from '../ui/brand.tsx';
import { ErrorPanel } from '../ui/feedback/read.tsx';
import { Toasts } from '../ui/feedback/toast.tsx';
import { useListener } from '../ui/hooks.ts';
import { loadChunk } from '../ui/later.tsx';

/** A component with its loader as a property: hot reload needs modules that export only components. */
type Page = (() => React.JSX.Element) & Pick<RouteObject, 'loader' | 'shouldRevalidate'>;

/** Creates the routes. Each screen is a chunk. All screens except the login need a session and are in the shell. */
export function createRouter(client: QueryClient) {
  const chunk = (load: () => Promise<{ Component: Page }>) => ({
    lazy: async () => {
      const here = () => createPath(router.state.navigation.location ?? router.state.location);
      const { Component } = await loadChunk(load, here);
      return { Component, loader: Component.loader, shouldRevalidate: Component.shouldRevalidate };
    },
    hydrateFallbackElement: <Waiting />,
  });
  const screens: RouteObject[] = [
    { path: '/', ...chunk(() => import('../features/dashboard/dashboard-page.tsx')) },
    { path: '/upload', ...chunk(() => import('../features/upload/upload-page.tsx')) },
    { path: '/queue', ...chunk(() => import('../features/queue/queue-page.tsx')) },
    { path: '/queue/:importId', ...chunk(() => import('../features/import/page/import-page.tsx')) },
    { path: '/history', ...chunk(() => import('../features/history/history-page.tsx')) },
    { path: '/suppliers', ...chunk(() => import('../features/suppliers/suppliers-page.tsx')) },
    { path: '/suppliers/:supplierId', ...chunk(() => import('../features/suppliers/supplier-page.tsx')) },
    { path: '/shopify', ...chunk(() => import('../features/store/shopify-page.tsx')) },
    { path: '/scanner', ...chunk(() => import('../features/scanner/scanner-page.tsx')) },
    { path: '/settings', ...chunk(() => import('../features/settings/settings-page.tsx')) },
    { path: '*', ...chunk(() => import('./not-found-page.tsx')) },
  ];
  const router = createBrowserRouter(
    [
      {
        element: (
          <>
            <Outlet />
            <Toasts />
          </>
        ),
        errorElement: <RouteFailure />,
        children: [
          {
            element: <AuthGate />,
            children: [
              { path: '/login', ...chunk(() => import('../features/access/login-page.tsx')) },
              {
                ...chunk(() => import('./layout/shell.tsx')),
                children: [{ errorElement: <RouteFailure />, children: screens }],
              },
            ],
          },
        ],
      },
    ],
    { getContext: () => new RouterContextProvider(new Map([[clientContext, client]])) },
  );
  return router;
}

function AuthGate() {
  const status = useAuthStatus();
  const atLogin = useLocation().pathname === '/login';
  const closed = status.data !== undefined && needsLogin(status.data);
  const { path: endedAt } = useSessionEnd();
  const isBack = status.data !== undefined && !closed && !atLogin && endedAt !== null;
  useEffect(() => {
    if (isBack) clearReturnPath();
  }, [isBack]);
  const client = useQueryClient();
  useListener('window', 'storage', ({ key, newValue }) => {
    if (key !== signedOutKey || newValue === null) return;
    forgetSessionEnd();
    requireLogin(client);
  });
  if (status.data === undefined) {
    if (!status.isError) return <Waiting />;
    return (
      <Center mih="100dvh" p="md" component="main">
        <h1 className="visually-hidden">{brandName}</h1>
        <ErrorPanel title="Can’t reach the server." cause={status.error.message}>
          <BodyText>Check that Draftshelf is running, then try again.</BodyText>
          <Button size="sm" loading={status.isFetching} onClick={() => status.refetch()}>
            Try Again
          </Button>
        </ErrorPanel>
      </Center>
    );
  }
  if (closed !== atLogin)
    return (
      <>
        <Waiting />
        <Navigate to={closed ? '/login' : (endedAt ?? '/')} replace />
      </>
    );
  return <Outlet />;
}

/** Fills the window while there is no shell: at the first load, and while signing in or out. */
const Waiting = () => (
  <Center mih="100dvh" p="md">
    <Stack align="center" gap="sm" role="status">
      <Loader aria-hidden />
      <Text>Loading...</Text>
    </Stack>
  </Center>
);

const causeOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

export const RouteError = ({ error }: { error: unknown }) => (
  <Center mih="60dvh" p="md">
    <h1 className="visually-hidden" tabIndex={-1}>
      Error
    </h1>
    <ErrorPanel title="This page crashed." cause={causeOf(error)}>
      Changes that were saved are kept. Reload, or go back to the dashboard.
      <Group gap="xs">
        <Button onClick={() => location.reload()}>Reload</Button>
        <PlainButton component="a" href="/">
          Dashboard
        </PlainButton>
      </Group>
    </ErrorPanel>
  </Center>
);

const RouteFailure = () => <RouteError error={useRouteError()} />;
