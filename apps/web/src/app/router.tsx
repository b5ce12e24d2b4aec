import type { QueryClient } from '@tanstack/react-query';
import {
  createBrowserRouter,
  createPath,
  Outlet,
  type RouteObject,
  RouterContextProvider,
} from 'react-router';
import { clientContext } from '../api/loader.ts';
import { loadChunk } from '../lib/load-chunk.ts';
import { Toasts } from '../ui/feedback/toast.tsx';
import { AuthGate } from './auth-gate.tsx';
import { RouteFailure } from './failure.tsx';
import { Waiting } from './layout/waiting.tsx';

/**
 * A page's component, with its loader, which starts the component's reads. A page exports nothing but its component:
 * only then the development server can update it in place.
 */
type Page = (() => React.JSX.Element) & Pick<RouteObject, 'loader' | 'shouldRevalidate'>;

/** The router. Every screen is its own chunk behind the auth gate; all but the login are inside the shell. */
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
