import type { Connection } from '@draftshelf/contract/access/connections';
import { useQuery } from '@tanstack/react-query';
import { pollMs, readOf } from './call.ts';

export type ShownConnection = Connection;

/** The specification fixes the service and its status only. */
const withDetails = (connections: ShownConnection[]): ShownConnection[] =>
  connections.map((connection) => ({ ...connection, details: connection.details ?? {} }));

export const isDemoStore = (connections: readonly ShownConnection[] | undefined): boolean =>
  connections?.some(({ details }) => details.credentials?.isDemo) ?? false;

/** Null: no store is set up. */
export function storeName(connections: readonly ShownConnection[] | undefined): string | null {
  if (isDemoStore(connections)) return 'Demo store';
  return connections?.find(({ service }) => service === 'shopify')?.details.shopDomain ?? null;
}

export const storeInSentence = (connections: readonly ShownConnection[] | undefined): string =>
  isDemoStore(connections) ? 'the demo store' : (storeName(connections) ?? 'your store');

export const connectionsRead = () => readOf('listConnections', {}, withDetails);

export const useConnections = () =>
  useQuery({
    ...connectionsRead(),
    refetchInterval: ({ state }) => (isUnreached(state.data) ? pollMs.unreachedStore : false),
  });

const isUnreached = (connections: readonly ShownConnection[] | undefined): boolean =>
  connections?.some(
    ({ service, status, details }) =>
      service === 'shopify' && status !== 'connected' && details.shopDomain !== undefined,
  ) ?? false;
