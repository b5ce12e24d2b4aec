import {
  type Connection,
  connectionServices,
  listConnections,
  testConnection,
} from '@draftshelf/contract/connections';
import { notFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import type { StoreConnection } from '../store-connection.ts';

type Service = (typeof connectionServices)[number];
type Test = { success: boolean; message: string };

/** The three image sources. They are inactive until the enrich stage uses them. */
const upcServices = ['UPCitemdb', 'Open Products Facts', 'Barcode Lookup'].map((name) => ({
  name,
  active: false,
}));

/** The three connections on the sidebar and the settings screen. */
export function serveConnections(api: Api, { store }: { store: StoreConnection }): void {
  serve(api, listConnections, async () => [await shopify(store), onedrive, upc]);
  serve(api, testConnection, async ({ params }) => {
    const service = connectionServices.find((name) => name === params.service);
    if (!service) throw notFound('Unknown connection.');
    return tests[service](store);
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

const upc: Connection = {
  id: 'upc_services',
  service: 'upc_services',
  status: 'disconnected',
  details: { services: upcServices },
};

const tests: Record<Service, (store: StoreConnection) => Promise<Test>> = {
  shopify: async (store) => {
    const { ok, message } = await store.test();
    return { success: ok, message };
  },
  onedrive: async () => ({ success: false, message: 'Setup Required' }),
  upc_services: async () => ({ success: false, message: 'No UPC service is turned on.' }),
};
