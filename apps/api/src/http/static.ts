import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pagePolicy, renderPage } from '@draftshelf/contract/access/page';
import { buildHeader } from '@draftshelf/contract/wire';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isApiRequest } from './guard.ts';
import { readScreenFiles } from './screen-files.ts';
import type { Sessions } from './session.ts';

/** For replies of the api. A reply that is opened as a page loads nothing, and no page may frame it. */
const apiContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Browsers that have used HTTPS once use only HTTPS for a year. */
const strictTransportSecurity = 'max-age=31536000';

type WebDeps = {
  webDir: string;
  csvBytesMax: number;
  publicUrl: string;
  sessions: Pick<Sessions, 'isAuthenticated'>;
};

/** Serves the web. Any other path outside the api gets index.html, whose router shows the screen or the 404 screen. */
export async function serveWeb(
  app: FastifyInstance,
  { webDir, csvBytesMax, publicUrl, sessions }: WebDeps,
): Promise<void> {
  const isHttps = new URL(publicUrl).protocol === 'https:';
  const page = await readFile(join(webDir, 'index.html'), 'utf8').catch(() => '');
  const build = buildOf(page);
  const contentSecurityPolicy = pagePolicy({ inlineScript: inlineScriptOf(page) });
  const screenFilesOf = await readScreenFiles(webDir);
  app.addHook('onSend', (request, reply, body, done) => {
    const { isData = false, cache } = request.routeOptions.config;
    const isApi = isData || isApiRequest(request);
    // Also set on a 304: its headers replace those of the cached reply, which may come from an older build.
    if (isApi && build !== '') reply.header(buildHeader, build);
    // On a 304 the browser keeps these headers of its cached reply.
    if (reply.statusCode !== 304) {
      reply.header('x-content-type-options', 'nosniff');
      reply.header('referrer-policy', 'same-origin');
      if (isHttps) reply.header('strict-transport-security', strictTransportSecurity);
      reply.header('content-security-policy', isApi ? apiContentSecurityPolicy : contentSecurityPolicy);
    }
    // Of the api's replies, browsers may store on disk only those that polls revalidate.
    const isWhole = reply.statusCode === 200 || reply.statusCode === 304;
    if (isApi && cache !== undefined && isWhole) reply.header('cache-control', cache);
    else if (isApi) reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'no-store');
    done(null, body);
  });
  await app.register(fastifyStatic, {
    root: webDir,
    cacheControl: false,
    // With one route for all files, the plugin would look into two directories on each request.
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
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // The result is cached for the auth status, which the page reads next and which reports a failed check.
    const hasSession = await sessions.isAuthenticated(request).catch(() => false);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(
        renderPage(await readFile(join(webDir, 'index.html'), 'utf8'), {
          ...{ csvBytesMax, build },
          ...screenFilesOf(request.url, hasSession),
        }),
      );
  };
  app.get('/', sendPage);
  app.get('/index.html', sendPage);
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    // A missing asset gets no page: a tab with an older build would read the page as the asset.
    const isAsset = request.url.startsWith('/assets/');
    if (wantsPage && !isAsset && !isApiRequest(request)) return sendPage(request, reply);
    return reply
      .code(404)
      .header('cache-control', 'no-store')
      .send({ code: 'not_found', message: 'Not found.' });
  });
}

/** Returns an id of the web's build: a hash of index.html, which names all files. '' without a build. */
const buildOf = (page: string): string =>
  page === '' ? '' : createHash('sha256').update(page).digest('hex').slice(0, 16);

const inlineScriptOf = (page: string): string | undefined => {
  const [, script] = /<script>([^<]*)<\/script>/.exec(page) ?? [];
  return script === undefined ? undefined : createHash('sha256').update(script).digest('base64');
};
