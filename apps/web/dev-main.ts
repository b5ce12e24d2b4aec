import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pagePolicy, pageWithLimit } from '@draftshelf/contract/page';
import { createServer, type Plugin } from 'vite';

// The web app in development: Vite serves the page and its modules, and passes on what belongs to the api. The
// environment is set by infra/dev/dev-mode.ts.
const { HOST, PORT, API_PORT, PUBLIC_URL = '', CSV_BYTES_MAX, S3_BUCKET = '' } = process.env;
const apiPaths = new RegExp(
  `^/(?:api|admin/queues|${RegExp.escape(S3_BUCKET)}/(?:uploads|photos))(?:[/?]|$)`,
);
/** How long a request waits for an api that is being restarted. */
const apiMsMax = 15_000;
const lookEveryMs = 25;
const scriptNonce = randomBytes(16).toString('base64');

const server = await createServer({
  root: import.meta.dirname,
  clearScreen: false,
  html: { cspNonce: scriptNonce },
  plugins: [waitForApi(), limitPage()],
  server: {
    host: HOST ?? 'localhost',
    port: Number(PORT),
    strictPort: true,
    cors: false,
    allowedHosts: [new URL(PUBLIC_URL).hostname],
    headers: {
      'content-security-policy': pagePolicy({ scriptNonce }),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    proxy: { [apiPaths.source]: { target: `http://127.0.0.1:${API_PORT}`, changeOrigin: false } },
    // The default is the whole repository, which has the data directory with its keys.
    fs: { allow: ['.', '../../packages', '../../node_modules'] },
    // Compiles what every screen needs before the first visit.
    warmup: { clientFiles: ['src/main.tsx', 'src/app/*.tsx', 'src/pages/*/*-page.tsx'] },
  },
});
await server.listen();
process.on('disconnect', () => process.exit());
process.send?.({ type: 'ready' });

/** Holds requests for the api while its port is closed, so that a restart is no failure for the page. */
function waitForApi(): Plugin {
  return {
    name: 'wait-for-api',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (!apiPaths.test(request.url ?? '')) return next();
        apiListens().then(next, next);
      });
    },
  };
}

async function apiListens(): Promise<void> {
  const startedAt = performance.now();
  while (!(await isListening(Number(API_PORT))) && performance.now() - startedAt < apiMsMax) {
    await pause(lookEveryMs);
  }
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => resolve(true));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function limitPage(): Plugin {
  return {
    name: 'limit-page',
    transformIndexHtml: (html) =>
      CSV_BYTES_MAX === undefined ? html : pageWithLimit(html, Number(CSV_BYTES_MAX)),
  };
}
