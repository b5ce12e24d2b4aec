import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { CallError } from './call.ts';
import { isReadByLoader } from './loader.ts';
import { endSession } from './session.ts';
import { refreshAfter } from './stale-reads.ts';

export function closeGateOn401(client: QueryClient, error: unknown): void {
  if (error instanceof CallError && error.status === 401) endSession(client);
}

/**
 * Also drops reads under way, which may be older than the change. TanStack Query keeps the answer of a first read, and
 * of a read that no mounted component waits for.
 */
class FreshAfterChange extends QueryClient {
  override invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    void this.cancelQueries(filters);
    return super.invalidateQueries(filters, options);
  }
}

/** The specification's defaults: no refetch interval, no refetch on focus, data never stale, no retries. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => closeGateOn401(client, error);
  const client = new FreshAfterChange({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError,
      onSettled: (_reply, error, input, _assumed, { meta }) => {
        const changes = meta?.changes?.(input as never) ?? [];
        return refreshAfter(
          client,
          changes.map((change) => ({ ...change, error })),
        );
      },
    }),
    defaultOptions: {
      queries: {
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        // A loader's read may fail before its screen mounts. The screen shows the error instead of asking again.
        retryOnMount: (query) => !isReadByLoader(query),
        // The server often runs on the same machine, so it can be reached offline.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
