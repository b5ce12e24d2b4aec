import type { Connection } from '@draftshelf/contract/access/connections';
import { useQuery } from '@tanstack/react-query';
import { pollMs, readOf } from './call.ts';

export type ShownConnection = Connection;

/** Adds empty details, because a reply may contain only the service and its status. */
const withDetails = (connections: ShownConnection[]): ShownConnection[] =>
  connections.map((connection) => ({ ...connection, details: connection.details ?? {} }));

export const isDemoStore = (connections: readonly ShownConnection[] | undefined): boolean =>
  connections?.some(({ details }) => details.credentials?.isDemo) ?? false;

export const findStore = (connections: readonly ShownConnection[] | undefined) =>
  connections?.find(({ service }) => service === 'shopify');

/** Returns the store's name; null if no store is set up. */
export function findStoreName(connections: readonly ShownConnection[] | undefined): string | null {
  return isDemoStore(connections) ? 'Demo store' : (findStore(connections)?.details.shopDomain ?? null);
}

export const describeStore = (connections: readonly ShownConnection[] | undefined): string =>
  isDemoStore(connections) ? 'the demo store' : (findStoreName(connections) ?? 'your store');

export const connectionsQuery = () => readOf('listConnections', {}, withDetails);

export const useConnections = () =>
  useQuery({
    ...connectionsQuery(),
    refetchInterval: ({ state }) => (isUnreached(state.data) ? pollMs.unreachedStore : false),
  });

function isUnreached(connections: readonly ShownConnection[] | undefined): boolean {
  const store = findStore(connections);
  return store?.details.shopDomain !== undefined && store.status !== 'connected';
}
