import type { Connection, EnteredCredentials } from '@draftshelf/contract/access/connections';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import { readKey, readOf } from './read.ts';

export type ShownConnection = Connection;

/** The specification fixes the service and its status only. */
const withDetails = (connections: ShownConnection[]): ShownConnection[] =>
  connections.map((connection) => ({ ...connection, details: connection.details ?? {} }));

/** Whether the connected store is the simulated one. */
export function isDemoStore(connections: readonly ShownConnection[] | undefined): boolean {
  return connections?.some(({ details }) => details.credentials?.isDemo) ?? false;
}

/** The store as screens name it: its domain, or as the demo store. Null: no store is set up. */
export function storeName(connections: readonly ShownConnection[] | undefined): string | null {
  if (isDemoStore(connections)) return 'Demo store';
  return connections?.find(({ service }) => service === 'shopify')?.details.shopDomain ?? null;
}

/** The same within a sentence. */
export const storeInSentence = (connections: readonly ShownConnection[] | undefined): string =>
  isDemoStore(connections) ? 'the demo store' : (storeName(connections) ?? 'your store');

export const connectionsRead = () => readOf('listConnections', {}, withDetails);

/** A store that does not answer is looked at this often, until it is back. */
const unreachedPollMs = 10_000;

export function useConnections() {
  return useQuery({
    ...connectionsRead(),
    refetchInterval: ({ state }) => (isUnreached(state.data) ? unreachedPollMs : false),
  });
}

const isUnreached = (connections: readonly ShownConnection[] | undefined): boolean =>
  connections?.some(
    ({ service, status, details }) =>
      service === 'shopify' && status !== 'connected' && details.shopDomain !== undefined,
  ) ?? false;

export function useConnectionTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (service: string) => call('testConnection', { params: { service } }),
    onSuccess: () => client.invalidateQueries({ queryKey: readKey('listConnections') }),
  });
}

/** Another store: everything that was read from the one before is old. */
function refreshStore(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: readKey('listConnections') }),
    client.invalidateQueries({ queryKey: readKey('/api/shopify') }),
    // A real store replaces the simulated sources.
    client.invalidateQueries({ queryKey: readKey('/api/sources') }),
  ]);
}

/** Tests credentials and saves them. The reply says whether the store accepts them. */
export function useCredentialsSave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credentials: EnteredCredentials) => call('saveCredentials', { body: credentials }),
    onSuccess: ({ success }) => (success ? refreshStore(client) : undefined),
  });
}

export function useCredentialsRemoval() {
  const client = useQueryClient();
  return useMutation({ mutationFn: () => call('removeCredentials'), onSuccess: () => refreshStore(client) });
}
