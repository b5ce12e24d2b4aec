import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import './global.css';
import './layout.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { RouterProvider } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { ToastProvider } from '../ui/feedback/toast.tsx';
import { Failure } from './failure.tsx';
import { createRouter } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

/** Renders the application into `root`. Throws if the element is missing. */
export function start(root: HTMLElement | null): void {
  if (root === null) throw new Error('The page has no element with the id root');
  const client = createQueryClient();
  const router = createRouter(client);
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <ErrorBoundary FallbackComponent={Failure}>
          <QueryClientProvider client={client}>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </QueryClientProvider>
        </ErrorBoundary>
      </MantineProvider>
    </StrictMode>,
  );
}
