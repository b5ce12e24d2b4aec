import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileBytesMaxMeta } from '@draftshelf/contract/upload';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isApiRequest } from './guard.ts';

/** Decision C15: the browser only talks to the api's origin, but images come from the addresses that a file names. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' http: https: data: blob:",
  "media-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the web's built files. Any other address outside the api gets the app, whose router shows the page or the
 * 404 screen (decision O21); an unknown address of the api is a JSON 404.
 */
export async function serveWeb(
  app: FastifyInstance,
  { webDir, csvBytesMax }: { webDir: string; csvBytesMax: number },
): Promise<void> {
  app.addHook('onSend', (request, reply, body, done) => {
    // A 304 has no body that they would be about, and the browser keeps those of the answer that it has.
    if (reply.statusCode !== 304) {
      reply.header('x-content-type-options', 'nosniff');
      reply.header('referrer-policy', 'same-origin');
    }
    if (isApiRequest(request)) reply.header('cache-control', 'private, no-cache');
    else reply.header('content-security-policy', contentSecurityPolicy);
    done(null, body);
  });
  await app.register(fastifyStatic, {
    root: webDir,
    cacheControl: false,
    // The build writes the copies beside the files; index.html has none, because it is filled in below.
    preCompressed: true,
    setHeaders(reply, path) {
      // The names of built assets carry a hash of their content; all other names stay when content changes.
      const isHashed = path.startsWith(`${webDir}/assets/`);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const sendPage = async (reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readPage(webDir, csvBytesMax));
  app.get('/', (_request, reply) => sendPage(reply));
  app.get('/index.html', (_request, reply) => sendPage(reply));
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    if (wantsPage && !isApiRequest(request)) return sendPage(reply);
    return reply.code(404).send({ code: 'not_found', message: 'Not found.' });
  });
}

/** The page with this server's limit, so that the browser refuses no file that the server takes. */
async function readPage(webDir: string, csvBytesMax: number): Promise<string> {
  const html = await readFile(join(webDir, 'index.html'), 'utf8');
  return html.replace(new RegExp(`(<meta name="${fileBytesMaxMeta}" content=")[^"]*`), `$1${csvBytesMax}`);
}
