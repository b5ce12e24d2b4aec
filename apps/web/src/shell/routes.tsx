import { createBrowserRouter, Outlet, type RouteObject } from 'react-router';
import { JobPage } from '../pages/job/job-page.tsx';
import { DashboardPage, HistoryPage, ScannerPage, StorePage } from '../pages/later/later-pages.tsx';
import { LoginPage } from '../pages/login/login-page.tsx';
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx';
import { QueuePage } from '../pages/queue/queue-page.tsx';
import { SettingsPage } from '../pages/settings/settings-page.tsx';
import { UploadPage } from '../pages/upload/upload-page.tsx';
import { UploadProvider } from '../pages/upload/upload-run.tsx';
import { ToastViewport } from '../ui/toast.tsx';
import { AuthGate } from './auth-gate.tsx';
import { RouteFailure } from './failure.tsx';
import { Shell } from './shell.tsx';

const screens: RouteObject[] = [
  { path: '/', element: <DashboardPage /> },
  { path: '/upload', element: <UploadPage /> },
  { path: '/queue', element: <QueuePage /> },
  { path: '/queue/:jobId', element: <JobPage /> },
  { path: '/history', element: <HistoryPage /> },
  { path: '/shopify', element: <StorePage /> },
  { path: '/scanner', element: <ScannerPage /> },
  { path: '/settings', element: <SettingsPage /> },
  { path: '*', element: <NotFoundPage /> },
];

/** The router: every screen behind the gate, all but the login inside the shell. */
export function createRouter() {
  return createBrowserRouter([
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
            { path: '/login', element: <LoginPage /> },
            {
              element: (
                <UploadProvider>
                  <Shell />
                </UploadProvider>
              ),
              children: [{ errorElement: <RouteFailure />, children: screens }],
            },
          ],
        },
      ],
    },
  ]);
}
