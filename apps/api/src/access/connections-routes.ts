import * as contract from '@draftshelf/contract/access/connections';
import { sourceLabels, sourceNames } from '@draftshelf/domain/enrich/sources';
import { readOneDriveConnection, testOneDrive } from '../folders/test-onedrive.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { notFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { readSourceStates, type SourceKeysDeps } from './source-keys.ts';
import type { ConnectionTest, StoreConnection } from './store-connection.ts';
import {
  type CredentialsDeps,
  credentialsLockReason,
  removeSavedCredentials,
  saveEnteredCredentials,
} from './store-credentials.ts';
import type { StoreReads } from './store-reads.ts';

type Service = (typeof contract.connectionServices)[number];
type Test = { success: boolean; message: string };

type ReadDeps = Pick<SourceKeysDeps, 'sealingKeys' | 'sources' | 'sourceKeys'> &
  Pick<ApiDatabases, 'database'> & { store: StoreConnection; demoStoreUrl: string | null };
type Deps = ReadDeps & CredentialsDeps & { storeReads: StoreReads };

export function serveConnections(api: Api, deps: Deps): void {
  const { store, storeReads } = deps;
  serve(api, contract.listConnections, () => readConnections(deps));
  serve(api, contract.testConnection, async ({ params }) => {
    const service = contract.connectionServices.find((name) => name === params.service);
    if (!service) throw notFound('Unknown connection.');
    return tests[service](deps);
  });
  serve(api, contract.saveCredentials, async ({ body, logSecurity }) => {
    const result = await saveEnteredCredentials(deps, await store.current(), body);
    if (result.ok) {
      logSecurity('credentials-saved', { detail: result.shop ?? 'Store' });
      storeReads.forget();
      await store.test();
    }
    return toReply(result);
  });
  serve(api, contract.removeCredentials, async ({ logSecurity }) => {
    await removeSavedCredentials(deps, await store.current());
    logSecurity('credentials-removed', { detail: 'Store' });
    storeReads.forget();
    return { success: true as const, message: 'Credentials removed. No store is connected.' };
  });
}

export async function readConnections(deps: ReadDeps): Promise<contract.Connection[]> {
  return [await shopify(deps), await readOneDriveConnection(deps.database.db), await upc(deps)];
}

async function shopify({ store, sealingKeys, demoStoreUrl }: ReadDeps): Promise<contract.Connection> {
  const [current, { ok, message, state, detail }] = [await store.current(), await store.lastTest()];
  const status = ok ? 'connected' : 'disconnected';
  const credentials = {
    source: current?.source ?? ('none' as const),
    kind: current?.kind ?? null,
    storeUrl: current?.url ?? null,
    savedAt: current?.savedAt?.toISOString() ?? null,
    isDemo: current?.source === 'saved' && isSameOrigin(current.url, demoStoreUrl),
    lockedBecause: credentialsLockReason(current, sealingKeys),
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

const isSameOrigin = (url: string, other: string | null): boolean =>
  other !== null && new URL(url).origin === new URL(other).origin;

const toReply = ({ ok, message, state, detail }: ConnectionTest) => ({
  success: ok,
  message,
  state,
  ...(detail === null ? {} : { cause: detail }),
});

async function upc(deps: ReadDeps): Promise<contract.Connection> {
  const active = await activeStates(deps);
  const services = sourceNames.map((name) => ({
    name: sourceLabels[name],
    active: active.some((state) => state.name === name),
  }));
  const status = active.length > 0 ? 'connected' : 'disconnected';
  return { id: 'upc_services', service: 'upc_services', status, details: { services } };
}

const activeStates = async (deps: ReadDeps) =>
  (await readSourceStates(deps.database.db, deps)).filter(
    ({ enabled, keyMissing }) => enabled && !keyMissing,
  );

/** Reports the results of earlier calls, because a test call would count against a source's quota. */
async function testSources(deps: ReadDeps): Promise<Test> {
  const active = await activeStates(deps);
  if (active.length === 0) return { success: false, message: 'No UPC service is turned on.' };
  const broken = active.filter(({ blockedBecause }) => blockedBecause === 'failure');
  const names = (some: typeof active) => some.map(({ label }) => label).join(', ');
  if (broken.length > 0) return { success: false, message: `No answer from ${names(broken)}.` };
  return { success: true, message: `Turned on: ${names(active)}.` };
}

const tests: Record<Service, (deps: Deps) => Promise<Test>> = {
  shopify: async ({ store }) => toReply(await store.test()),
  onedrive: testOneDrive,
  upc_services: testSources,
};
