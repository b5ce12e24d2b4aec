import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { isApiRequest } from './guard.ts';

/** Decision C15; 'self' includes presigned uploads, because the browser only talks to the api's origin. */
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
export async function serveWeb(app: FastifyInstance, webDir: string): Promise<void> {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'same-origin');
    if (isApiRequest(request)) reply.header('cache-control', 'private, no-cache');
    else reply.header('content-security-policy', contentSecurityPolicy);
  });
  await app.register(fastifyStatic, {
    root: webDir,
    cacheControl: false,
    setHeaders(reply, path) {
      // The names of built assets carry a hash of their content; all other names stay when content changes.
      const isHashed = path.startsWith(`${webDir}/assets/`);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    if (wantsPage && !isApiRequest(request)) return reply.sendFile('index.html');
    return reply.code(404).send({ code: 'not_found', message: 'There is nothing at this address.' });
  });
}
