import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOn } from '@draftshelf/runtime/http-listener';
import { BodyTooLarge } from '@draftshelf/runtime/read-body';
import type { GraphQLSchema } from 'graphql';
import { type ClientCredentials, createAccess } from './access.ts';
import { type AdminApiDeps, answerGraphql } from './admin-api.ts';
import { createBucket, type Plan } from './bucket.ts';
import { type Catalogue, openCatalogue, type StoredProduct } from './catalogue.ts';
import type { Clock } from './clock.ts';
import { answerControl } from './control.ts';
import { createDailyVariants } from './daily-variants.ts';
import { demoShop, type Shop } from './demo-shop.ts';
import { createEditForm, type EditForm } from './edit-form.ts';
import { createFaults } from './faults.ts';
import { createGraphqlEndpoint } from './graphql-endpoint.ts';
import { parseBody, readBody, sendJson, sendText } from './http-body.ts';
import { notFoundPage, pageHeaders, productListPage, productPage } from './pages.ts';
import { searchProducts, sortProducts } from './product-search.ts';
import { createRoots } from './roots.ts';
import { createStagedUploads, type StagedUploads } from './staged-uploads.ts';
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
  /** The first demo shop if absent. */
  shop?: Shop;
  /** The address for links in answers; null: the address where it listens. */
  publicUrl: string | null;
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
  const { clock } = options;
  const shop = options.shop ?? demoShop();
  let listeningAt = '';
  const publicUrl = () => options.publicUrl ?? listeningAt;
  const roots = createRoots({ catalogue, shop, daily: createDailyVariants(), clock, publicUrl });
  const bucket = createBucket(options.plan, clock);
  const faults = createFaults(clock);
  const stats = emptyStats();
  const deps: RouteDeps = {
    catalogue,
    clock,
    shop,
    access: createAccess(options.accessToken, options.client, { clock, shop }),
    endpoint: createGraphqlEndpoint({ schema: options.schema, roots, bucket, catalogue, shop }),
    editForm: createEditForm({ catalogue, clock, publicUrl }),
    faults,
    stats,
    staged: createStagedUploads({ catalogue, clock, faults, stats, dataDir: options.dataDir }),
  };
  const server = createServer((request, response) => {
    route(request, response, deps).catch((error: unknown) => fail(response, error, options.logger));
  });
  return {
    async listen(port, host) {
      const listeningOn = await listenOn(server, port, host);
      listeningAt = `http://${host.includes(':') ? `[${host}]` : host}:${listeningOn}`;
      return listeningAt;
    },
    async close() {
      await closeServer(server);
      await catalogue.close();
    },
  };
}

type RouteDeps = AdminApiDeps & {
  catalogue: Catalogue;
  clock: Clock;
  shop: Shop;
  editForm: EditForm;
  staged: StagedUploads;
};

async function route(request: IncomingMessage, response: ServerResponse, deps: RouteDeps): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://store');
  const { pathname, searchParams } = url;
  const [, version] = /^\/admin\/api\/([\w-]+)\/graphql\.json$/.exec(pathname) ?? [];
  if (version && request.method === 'POST') return await answerGraphql(request, response, version, deps);
  if (pathname === '/admin/oauth/access_token' && request.method === 'POST') {
    return await answerTokenRequest(request, response, deps);
  }
  if (deps.staged.isAt(pathname)) return await deps.staged.answer(request, response, url);
  if (pathname.startsWith('/__')) return await answerControl(request, response, pathname, deps);
  if (request.method === 'POST' && deps.editForm.isAt(pathname)) {
    return await deps.editForm.answer(request, response, pathname);
  }
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
    const search = query.get('query') ?? '';
    const newestFirst = sortProducts(
      searchProducts(deps.catalogue.products.values(), search),
      'ID',
    ).reverse();
    const page = Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1);
    html(200, productListPage(deps.shop, newestFirst, { page, search }));
    return;
  }
  const [, id] = /^\/admin\/products\/(\d+)$/.exec(path) ?? [];
  const product = deps.catalogue.products.get(Number(id));
  html(product ? 200 : 404, product ? shownProduct(product, deps) : notFoundPage(deps.shop));
}

function shownProduct(product: StoredProduct, { clock, shop, catalogue, editForm }: RouteDeps): string {
  const titles = product.collectionIds.flatMap((id) => catalogue.collections.get(id)?.title ?? []);
  return productPage(product, { clock, shop, collections: titles, editToken: editForm.tokenOf(product.id) });
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
