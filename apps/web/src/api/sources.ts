import { changeSources, forgetAnswers, listSources } from '@draftshelf/contract/sources';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallRequest, call } from './call.ts';
import { connectionsRead } from './connections.ts';
import { readKey, readOf } from './read.ts';

const sourcesRead = () => readOf(listSources);

/** The sources of product data with their quotas. */
export function useSources() {
  return useQuery(sourcesRead());
}

/** Switches sources and changes their order. */
export function useSourcesChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sources: NonNullable<CallRequest<typeof changeSources>['body']>['sources']) =>
      call(changeSources, { body: { sources } }),
    onSuccess: (sources) => {
      client.setQueryData(readKey(listSources.path), sources);
      return client.invalidateQueries({ queryKey: connectionsRead().queryKey });
    },
  });
}

/** Forgets what all sources have said. */
export function useForgetAnswers() {
  return useMutation({ mutationFn: () => call(forgetAnswers, { body: {} }) });
}
