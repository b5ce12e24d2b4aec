import type { KeyedSource } from '@draftshelf/domain/enrich/sources';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assume } from '../../../api/assume.ts';
import { type CallRequest, call, type Reply } from '../../../api/call.ts';
import { connectionsRead } from '../../../api/connections.ts';
import { readKey, readOf } from '../../../api/read.ts';

type SourceChanges = NonNullable<CallRequest<'changeSources'>['body']>['sources'];

const sourcesRead = () => readOf('listSources');

/** The sources of product data with their quotas. */
export function useSources() {
  return useQuery(sourcesRead());
}

/** Switches sources and changes their order. */
export function useSourcesChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sources: SourceChanges) => call('changeSources', { body: { sources } }),
    onMutate: (changes) =>
      assume<Reply<'listSources'>>(client, { queryKey: readKey('listSources') }, (sources) =>
        changedSources(sources, changes),
      ),
    onError: (_error, _changes, takeBack) => takeBack?.(),
    onSuccess: (sources) => {
      client.setQueryData(readKey('listSources'), sources);
      return client.invalidateQueries({ queryKey: connectionsRead().queryKey });
    },
  });
}

/** The sources after switches and moves. Quotas are shown when the server has them. */
function changedSources(sources: Reply<'listSources'>, changes: SourceChanges): Reply<'listSources'> {
  const switched = sources.map((source) => {
    const change = changes.find(({ name }) => name === source.name);
    return change?.enabled === undefined ? source : { ...source, enabled: change.enabled };
  });
  const places = changes.flatMap(({ name, position }) =>
    position === undefined ? [] : [{ name, position }],
  );
  const moved = switched.filter(({ name }) => places.every((place) => place.name !== name));
  for (const { name, position } of places.toSorted((a, b) => a.position - b.position)) {
    moved.splice(position, 0, ...switched.filter((source) => source.name === name));
  }
  return moved;
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
