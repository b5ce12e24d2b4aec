import { listConnections, testConnection } from '@draftshelf/contract/connections';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import { readKey, readOf } from './read.ts';

export const connectionsRead = () => readOf(listConnections);

export function useConnections() {
  return useQuery(connectionsRead());
}

export function useConnectionTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (service: string) => call(testConnection, { params: { service } }),
    onSuccess: () => client.invalidateQueries({ queryKey: readKey(listConnections.path) }),
  });
}
