import {
  type Connection,
  connectionServices,
  listConnections,
  testConnection,
} from '@draftshelf/contract/connections';
import type { Db } from '@draftshelf/database/connection/database';
import { activeSources, listSources } from '@draftshelf/database/enrich/sources';
import { sourceLabel, sourceLabels, sourceNames } from '@draftshelf/domain/sources';
import type { ApiDatabases } from '../databases.ts';
import { notFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import type { StoreConnection } from '../store-connection.ts';

type Service = (typeof connectionServices)[number];
type Test = { success: boolean; message: string };

/** The three connections on the sidebar and the settings screen. */
export function serveConnections(
  api: Api,
  { store, database: { db } }: Pick<ApiDatabases, 'database'> & { store: StoreConnection },
): void {
  serve(api, listConnections, async () => [await shopify(store), onedrive, await upc(db)]);
  serve(api, testConnection, async ({ params }) => {
    const service = connectionServices.find((name) => name === params.service);
    if (!service) throw notFound('Unknown connection.');
    return tests[service](store, db);
  });
}

async function shopify(store: StoreConnection): Promise<Connection> {
  const { ok, message } = await store.lastTest();
  const { shopDomain, adminUrl } = store;
  const status = ok ? 'connected' : 'disconnected';
  return { id: 'shopify', service: 'shopify', status, details: { shopDomain, adminUrl, message } };
}

const onedrive: Connection = {
  id: 'onedrive',
  service: 'onedrive',
  status: 'disconnected',
  details: { message: 'Setup Required' },
};

/** The sources of product data by UPC, in their order. */
async function upc(db: Db): Promise<Connection> {
  const active = await activeSources(db);
  const services = sourceNames.map((name) => ({ name: sourceLabels[name], active: active.includes(name) }));
  const status = active.length > 0 ? 'connected' : 'disconnected';
  return { id: 'upc_services', service: 'upc_services', status, details: { services } };
}

/** Asks no source, because that would cost one of its calls. What the last calls have shown is known. */
async function testSources(db: Db): Promise<Test> {
  const active = (await listSources(db)).filter(({ enabled }) => enabled);
  if (active.length === 0) return { success: false, message: 'No UPC service is turned on.' };
  const now = Date.now();
  const broken = active.filter(
    ({ blocked_until, blocked_because }) =>
      blocked_because === 'failure' && blocked_until !== null && blocked_until.getTime() > now,
  );
  const names = (some: typeof active) => some.map(({ name }) => sourceLabel(name)).join(', ');
  if (broken.length > 0) return { success: false, message: `No answer from ${names(broken)}.` };
  return { success: true, message: `Turned on: ${names(active)}.` };
}

const tests: Record<Service, (store: StoreConnection, db: Db) => Promise<Test>> = {
  shopify: async (store) => {
    const { ok, message } = await store.test();
    return { success: ok, message };
  },
  onedrive: async () => ({ success: false, message: 'Setup Required' }),
  upc_services: (_store, db) => testSources(db),
};
