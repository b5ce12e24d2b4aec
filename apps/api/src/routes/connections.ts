import {
  type Connection,
  connectionServices,
  listConnections,
  removeCredentials,
  saveCredentials,
  testConnection,
} from '@draftshelf/contract/connections';
import { notFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import type { ConnectionTest, StoreConnection } from '../store-connection.ts';
import { type CredentialsDeps, lockedBecause, removeSaved, saveEntered } from '../store-credentials.ts';
import type { StoreReads } from '../store-reads.ts';

type Service = (typeof connectionServices)[number];
type Test = { success: boolean; message: string };

/** The three image sources. They are inactive until the enrich stage uses them. */
const upcServices = ['UPCitemdb', 'Open Products Facts', 'Barcode Lookup'].map((name) => ({
  name,
  active: false,
}));

type ReadDeps = Pick<CredentialsDeps, 'sealingKeys'> & { store: StoreConnection };
type Deps = ReadDeps & CredentialsDeps & { storeReads: StoreReads };

/** The three connections on the sidebar and the settings screen, and the store's credentials. */
export function serveConnections(api: Api, deps: Deps): void {
  const { store, storeReads } = deps;
  serve(api, listConnections, () => readConnections(deps));
  serve(api, testConnection, async ({ params }) => {
    const service = connectionServices.find((name) => name === params.service);
    if (!service) throw notFound('Unknown connection.');
    return tests[service](store);
  });
  serve(api, saveCredentials, async ({ body }) => {
    const result = await saveEntered(deps, await store.current(), body);
    if (result.ok) {
      storeReads.forget();
      await store.test();
    }
    return toReply(result);
  });
  serve(api, removeCredentials, async () => {
    await removeSaved(deps, await store.current());
    storeReads.forget();
    return { success: true as const, message: 'Credentials removed. No store is connected.' };
  });
}

/** The three connections with their states. */
export async function readConnections(deps: ReadDeps): Promise<Connection[]> {
  return [await shopify(deps), onedrive, upc];
}

async function shopify({ store, sealingKeys }: ReadDeps): Promise<Connection> {
  const [current, { ok, message, state, detail }] = [await store.current(), await store.lastTest()];
  const status = ok ? 'connected' : 'disconnected';
  const credentials = {
    source: current?.source ?? ('none' as const),
    kind: current?.kind ?? null,
    storeUrl: current?.url ?? null,
    savedAt: current?.savedAt?.toISOString() ?? null,
    lockedBecause: lockedBecause(current, sealingKeys),
  };
  const at = current ? { shopDomain: new URL(current.url).host, adminUrl: `${current.url}/admin` } : {};
  const cause = detail === null ? {} : { cause: detail };
  return {
    id: 'shopify',
    service: 'shopify',
    status,
    details: { ...at, message, state, ...cause, credentials },
  };
}

const toReply = ({ ok, message, state, detail }: ConnectionTest) => ({
  success: ok,
  message,
  state,
  ...(detail === null ? {} : { cause: detail }),
});

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
  shopify: async (store) => toReply(await store.test()),
  onedrive: async () => ({ success: false, message: 'Setup Required' }),
  upc_services: async () => ({ success: false, message: 'No UPC service is turned on.' }),
};
