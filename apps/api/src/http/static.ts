import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageOf, pagePolicy } from '@draftshelf/contract/access/page';
import { buildHeader } from '@draftshelf/contract/wire';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isApiRequest } from './guard.ts';

const contentSecurityPolicy = pagePolicy();

/** Opened as a page, replies load nothing, and no page may frame them. */
const apiContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Browsers that came over HTTPS use nothing else for a year. */
const strictTransportSecurity = 'max-age=31536000';

/** Any other path outside the api gets the app, whose router shows the page or the 404 screen. */
export async function serveWeb(
  app: FastifyInstance,
  { webDir, csvBytesMax, publicUrl }: { webDir: string; csvBytesMax: number; publicUrl: string },
): Promise<void> {
  const isHttps = new URL(publicUrl).protocol === 'https:';
  const build = await buildOf(webDir);
  app.addHook('onSend', (request, reply, body, done) => {
    const { isData = false, cache } = request.routeOptions.config;
    const isApi = isData || isApiRequest(request);
    // Also on a 304: its headers replace the ones of the browser's copy, which another build may have sent.
    if (isApi && build !== '') reply.header(buildHeader, build);
    // The browser keeps the headers of its cached reply.
    if (reply.statusCode !== 304) {
      reply.header('x-content-type-options', 'nosniff');
      reply.header('referrer-policy', 'same-origin');
      if (isHttps) reply.header('strict-transport-security', strictTransportSecurity);
      reply.header('content-security-policy', isApi ? apiContentSecurityPolicy : contentSecurityPolicy);
    }
    // Polls need the browser's copy to ask whether it has changed. Nothing else stays on a disk.
    const isWhole = reply.statusCode === 200 || reply.statusCode === 304;
    if (isApi && cache !== undefined && isWhole) reply.header('cache-control', cache);
    else if (isApi) reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'no-store');
    done(null, body);
  });
  await app.register(fastifyStatic, {
    root: webDir,
    cacheControl: false,
    // With one route for all files, two folders would be listed for each request.
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.{br,gz}'],
    // The build writes compressed copies next to the files, except for index.html, which is filled in below.
    preCompressed: true,
    setHeaders(reply, path) {
      // Only names of built assets contain a hash of their content.
      const isHashed = path.startsWith(`${webDir}/assets/`);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const sendPage = async (reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(pageOf(await readFile(join(webDir, 'index.html'), 'utf8'), { csvBytesMax, build }));
  app.get('/', (_request, reply) => sendPage(reply));
  app.get('/index.html', (_request, reply) => sendPage(reply));
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    // Not the page: a tab with an older version would take it for the asset, and a cache might keep it.
    const isAsset = request.url.startsWith('/assets/');
    if (wantsPage && !isAsset && !isApiRequest(request)) return sendPage(reply);
    return reply
      .code(404)
      .header('cache-control', 'no-store')
      .send({ code: 'not_found', message: 'Not found.' });
  });
}

/** Identifies the build of the web: its page names all its files. '' without one, while developing. */
async function buildOf(webDir: string): Promise<string> {
  const page = await readFile(join(webDir, 'index.html')).catch(() => null);
  return page === null || page.length === 0
    ? ''
    : createHash('sha256').update(page).digest('hex').slice(0, 16);
}
