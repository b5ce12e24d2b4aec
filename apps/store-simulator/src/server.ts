import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GraphQLSchema } from 'graphql';
import { type ClientCredentials, createAccess } from './access.ts';
import { type AdminApiDeps, answerGraphql } from './admin-api.ts';
import { createBucket, type Plan } from './bucket.ts';
import { type Catalogue, openCatalogue } from './catalogue.ts';
import type { Clock } from './clock.ts';
import { answerControl } from './control.ts';
import { demoShop, grantedScopes } from './demo-shop.ts';
import { createFaults } from './faults.ts';
import { createGraphqlEndpoint } from './graphql-endpoint.ts';
import { BodyTooLarge, parseBody, readBody, sendJson, sendText } from './http-body.ts';
import { notFoundPage, pageHeaders, productListPage, productPage } from './pages.ts';
import { sortProducts } from './product-search.ts';
import { createRoots } from './roots.ts';
import { emptyStats } from './stats.ts';

export type StoreSimulatorOptions = {
  schema: GraphQLSchema;
  /** Directory of the store's content; an empty directory is an empty store. */
  dataDir: string;
  accessToken: string;
  /** App credentials to request tokens with; null: only the static token is valid. */
  client: ClientCredentials | null;
  clock: Clock;
  plan: Plan;
  /** The address for links in answers; null: the address where it listens. */
  publicUrl: string | null;
  /** The permanent domain of the store; default: that of the demo store. */
  myshopifyDomain?: string;
  /** The scopes that the app reports; default: all that it needs. */
  scopes?: readonly string[];
  logger: { error(fields: object, message: string): void };
};

export type StoreSimulator = {
  /** Returns the base URL. Throws if the port is taken. */
  listen(port: number, host: string): Promise<string>;
  close(): Promise<void>;
};

/** A store on the real Admin schema, with its content read from `dataDir`; it serves once `listen` is called. */
export async function createStoreSimulator(options: StoreSimulatorOptions): Promise<StoreSimulator> {
  const catalogue = await openCatalogue(options.dataDir);
  let listeningAt = '';
  const roots = createRoots({
    catalogue,
    clock: options.clock,
    publicUrl: () => options.publicUrl ?? listeningAt,
    myshopifyDomain: options.myshopifyDomain ?? demoShop.myshopifyDomain,
    scopes: options.scopes ?? grantedScopes,
  });
  const bucket = createBucket(options.plan, options.clock);
  const deps: RouteDeps = {
    catalogue,
    clock: options.clock,
    access: createAccess(options.accessToken, options.client, options.clock),
    endpoint: createGraphqlEndpoint({ schema: options.schema, roots, bucket, catalogue }),
    faults: createFaults(),
    stats: emptyStats(),
  };
  const server = createServer((request, response) => {
    route(request, response, deps).catch((error: unknown) => fail(response, error, options.logger));
  });
  return {
    async listen(port, host) {
      await listening(server, port, host);
      const address = server.address() as AddressInfo;
      listeningAt = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
      return listeningAt;
    },
    async close() {
      await closed(server);
      await catalogue.close();
    },
  };
}

type RouteDeps = AdminApiDeps & { catalogue: Catalogue; clock: Clock };

async function route(request: IncomingMessage, response: ServerResponse, deps: RouteDeps): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store');
  const [, version] = /^\/admin\/api\/([\w-]+)\/graphql\.json$/.exec(pathname) ?? [];
  if (version && request.method === 'POST') return await answerGraphql(request, response, version, deps);
  if (pathname === '/admin/oauth/access_token' && request.method === 'POST') {
    return await answerTokenRequest(request, response, deps);
  }
  if (pathname.startsWith('/__')) return await answerControl(request, response, pathname, deps);
  if (request.method === 'GET') return answerPage(response, pathname, searchParams, deps);
  sendJson(response, 404, { errors: 'Not Found' });
}

async function answerTokenRequest(
  request: IncomingMessage,
  response: ServerResponse,
  deps: RouteDeps,
): Promise<void> {
  const form = parseBody(await readBody(request), request.headers['content-type'] ?? '') ?? {};
  const { status, body } = deps.access.grant(form);
  if (status === 200) deps.stats.tokensGranted += 1;
  if (typeof body === 'string') sendText(response, status, 'text/html; charset=utf-8', body);
  else sendJson(response, status, body);
}

function answerPage(response: ServerResponse, path: string, query: URLSearchParams, deps: RouteDeps): void {
  if (path === '/' || path === '/admin') {
    sendText(response, 302, 'text/plain', '', { location: '/admin/products' });
    return;
  }
  const html = (status: number, text: string) =>
    sendText(response, status, 'text/html; charset=utf-8', text, pageHeaders);
  if (path === '/admin/products') {
    const newestFirst = sortProducts([...deps.catalogue.products.values()], 'ID').reverse();
    const page = Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1);
    html(200, productListPage(newestFirst, page));
    return;
  }
  const [, id] = /^\/admin\/products\/(\d+)$/.exec(path) ?? [];
  const product = deps.catalogue.products.get(Number(id));
  html(product ? 200 : 404, product ? productPage(product, deps.clock) : notFoundPage());
}

function fail(response: ServerResponse, error: unknown, logger: StoreSimulatorOptions['logger']): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
  } else if (error instanceof BodyTooLarge) {
    sendJson(response, 413, { errors: 'Request Entity Too Large' }, { connection: 'close' });
  } else {
    logger.error({ err: error }, 'a request failed');
    sendJson(response, 500, { errors: 'Internal Server Error' });
  }
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
