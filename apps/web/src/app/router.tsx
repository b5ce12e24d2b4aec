import type { QueryClient } from '@tanstack/react-query';
import {
  createBrowserRouter,
  createPath,
  Outlet,
  type RouteObject,
  RouterContextProvider,
} from 'react-router';
import { clientContext } from '../api/loader.ts';
import { ToastViewport } from '../components/feedback/toast.tsx';
import { loadChunk } from '../lib/load-chunk.ts';
import { AuthGate } from './auth-gate.tsx';
import { RouteFailure } from './failure.tsx';
import { Waiting } from './layout/waiting.tsx';

/** The exports of a page's file. The loader starts the component's reads. */
type RouteModule = Pick<RouteObject, 'loader' | 'shouldRevalidate'> & { Component: () => React.JSX.Element };

/** The router. Every screen is its own chunk behind the auth gate; all but the login are inside the shell. */
export function createRouter(client: QueryClient) {
  const chunk = (load: () => Promise<RouteModule>) => ({
    lazy: () => loadChunk(load, () => createPath(router.state.navigation.location ?? router.state.location)),
    hydrateFallbackElement: <Waiting />,
  });
  const screens: RouteObject[] = [
    { path: '/', ...chunk(() => import('../pages/dashboard/dashboard-page.tsx')) },
    { path: '/upload', ...chunk(() => import('../pages/upload/upload-page.tsx')) },
    { path: '/queue', ...chunk(() => import('../pages/queue/queue-page.tsx')) },
    { path: '/queue/:importId', ...chunk(() => import('../pages/import/import-page.tsx')) },
    { path: '/history', ...chunk(() => import('../pages/history/history-page.tsx')) },
    { path: '/shopify', ...chunk(() => import('../pages/shopify/shopify-page.tsx')) },
    { path: '/scanner', ...chunk(() => import('../pages/scanner/scanner-page.tsx')) },
    { path: '/settings', ...chunk(() => import('../pages/settings/settings-page.tsx')) },
    { path: '*', ...chunk(() => import('../pages/not-found/not-found-page.tsx')) },
  ];
  const router = createBrowserRouter(
    [
      {
        element: (
          <>
            <Outlet />
            <ToastViewport />
          </>
        ),
        errorElement: <RouteFailure />,
        children: [
          {
            element: <AuthGate />,
            children: [
              { path: '/login', ...chunk(() => import('../pages/login/login-page.tsx')) },
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
