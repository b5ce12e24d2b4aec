import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import './app/global.css';
import './app/layout.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { RouterProvider } from 'react-router';
import { createQueryClient } from './api/query-client.ts';
import { createRouter, RouteError } from './app/router.tsx';
import { resolveCssVariables, theme } from './app/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root');
const client = createQueryClient();
const router = createRouter(client);
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={resolveCssVariables} defaultColorScheme="auto">
      <ErrorBoundary FallbackComponent={RouteError}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  </StrictMode>,
);
