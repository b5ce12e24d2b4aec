import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { pagePolicy, renderPage } from '@draftshelf/contract/access/page';
import { createServer, type Plugin } from 'vite';

// The web app in development: Vite serves the page and its modules, and passes on what belongs to the api. The
// environment is set by infra/dev/dev-mode.ts.
const { HOST, PORT, API_PORT, PUBLIC_URL = '', CSV_BYTES_MAX, S3_BUCKET = '' } = process.env;
const apiPaths = new RegExp(
  `^/(?:api|admin/queues|${RegExp.escape(S3_BUCKET)}/(?:uploads|photos))(?:[/?]|$)`,
);
/** A request waits this long for an api that is being restarted, as long as the start waits for it. */
const apiMsMax = 60_000;
const lookEveryMs = 25;
const scriptNonce = randomBytes(16).toString('base64');

const server = await createServer({
  root: import.meta.dirname,
  clearScreen: false,
  html: { cspNonce: scriptNonce },
  plugins: [passToApi(), limitPage()],
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
    // The default is the whole repository, which has the data directory with its keys.
    fs: { allow: ['.', '../../packages', '../../node_modules'] },
    // Compiles what every screen needs before the first visit.
    warmup: { clientFiles: ['src/main.tsx', 'src/app/*.tsx', 'src/pages/*/*-page.tsx'] },
  },
});
await server.listen();
process.on('disconnect', () => process.exit());
process.send?.({ type: 'ready' });

/** Passes on what belongs to the api. */
function passToApi(): Plugin {
  return {
    name: 'pass-to-api',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (!apiPaths.test(request.url ?? '')) return next();
        passOn(request, response).catch((error) => {
          if (response.headersSent) return response.destroy();
          response.writeHead(502, { 'content-type': 'text/plain' }).end(`The api did not answer: ${error}\n`);
        });
      });
    },
  };
}

/** Waits while the api's port is closed, and repeats a GET that it did not answer, so that a restart fails nothing. */
async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const endsAt = performance.now() + apiMsMax;
  for (;;) {
    while (!(await isListening(Number(API_PORT))) && performance.now() < endsAt) await pause(lookEveryMs);
    try {
      const reply = await ask(request, response);
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      return await pipeline(reply, response);
    } catch (error) {
      const mayRepeat = request.method === 'GET' && !response.headersSent && !response.destroyed;
      if (!mayRepeat || performance.now() > endsAt) throw error;
      await pause(lookEveryMs);
    }
  }
}

/** Sends a request to the api, and ends it when the browser does. */
function ask(request: IncomingMessage, response: ServerResponse): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method, url: path, headers } = request;
  const sent = httpRequest({ host: '127.0.0.1', port: API_PORT, method, path, headers }, resolve);
  sent.on('error', reject);
  response.once('close', () => sent.destroy());
  if (method === 'GET') sent.end();
  else request.pipe(sent);
  return promise;
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
      CSV_BYTES_MAX === undefined
        ? html
        : renderPage(html, { csvBytesMax: Number(CSV_BYTES_MAX), build: '' }),
  };
}
