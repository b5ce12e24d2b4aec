import type { KeyedSource } from '@draftshelf/domain/enrich/sources';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallRequest, call } from '../../../api/call.ts';
import { connectionsRead } from '../../../api/connections.ts';
import { readKey, readOf } from '../../../api/read.ts';

const sourcesRead = () => readOf('listSources');

/** The sources of product data with their quotas. */
export function useSources() {
  return useQuery(sourcesRead());
}

/** Switches sources and changes their order. */
export function useSourcesChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sources: NonNullable<CallRequest<'changeSources'>['body']>['sources']) =>
      call('changeSources', { body: { sources } }),
    onSuccess: (sources) => {
      client.setQueryData(readKey('listSources'), sources);
      return client.invalidateQueries({ queryKey: connectionsRead().queryKey });
    },
  });
}

/** Tests a key and saves it. The reply says whether the source accepts it. */
export function useSourceKeySave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, key }: { name: KeyedSource; key: string }) =>
      call('saveSourceKey', { params: { name }, body: { key } }),
    onSuccess: ({ success }) => (success ? refreshSources(client) : undefined),
  });
}

export function useSourceKeyRemoval() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: KeyedSource) => call('removeSourceKey', { params: { name } }),
    onSuccess: () => refreshSources(client),
  });
}

function refreshSources(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: readKey('listSources') }),
    client.invalidateQueries({ queryKey: connectionsRead().queryKey }),
  ]);
}

/** Forgets what all sources have said. */
export function useForgetAnswers() {
  return useMutation({ mutationFn: () => call('forgetAnswers', { body: {} }) });
}
