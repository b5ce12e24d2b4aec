import {
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { createContext, type LoaderFunction, type LoaderFunctionArgs } from 'react-router';
import { CallError, readOf } from './call.ts';
import { endSession, needsLogin } from './session.ts';
import { refreshAfter } from './stale-reads.ts';

export function endSessionOn401(client: QueryClient, error: unknown): void {
  if (error instanceof CallError && error.status === 401) endSession(client);
}

/**
 * A query client whose `invalidateQueries` also cancels running requests, because their replies may be older than the
 * change. TanStack Query itself keeps these replies if the query has no data yet or is used by no component.
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

/** Creates the query client: no polling, no read on focus, no expiry and no retries by default. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => endSessionOn401(client, error);
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
        // If a loader's read has failed, the screen shows the error instead of repeating the read.
        retryOnMount: (query) => !isReadByLoader(query),
        // Requests are sent even if the browser is offline, because the server often runs on the same machine.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}

export const clientContext = createContext<QueryClient>();

// biome-ignore lint/suspicious/noExplicitAny: a list holds query options of different replies
type AnyRead = FetchQueryOptions<any, any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyPagedRead = FetchInfiniteQueryOptions<any, any, any, any, any>;

const readByLoader = new WeakSet<object>();

/** Returns a loader that starts the reads of a screen's components. Without an open session it reads nothing. */
export const createLoader =
  (readsOf: (args: LoaderFunctionArgs) => readonly (AnyRead | AnyPagedRead)[]): LoaderFunction =>
  (args) => {
    const client = args.context.get(clientContext);
    const status = client.getQueryData(readOf('authStatus').queryKey);
    if (status !== undefined && !needsLogin(status)) {
      for (const read of readsOf(args)) start(client, read);
    }
    return null;
  };

function start(client: QueryClient, read: AnyRead | AnyPagedRead): void {
  if (isPaged(read)) client.prefetchInfiniteQuery(read);
  else client.prefetchQuery(read);
  const query = client.getQueryCache().find({ queryKey: read.queryKey });
  if (query !== undefined) readByLoader.add(query);
}

const isPaged = (read: AnyRead | AnyPagedRead): read is AnyPagedRead =>
  'initialPageParam' in read && read.initialPageParam !== undefined;

/** Whether a loader has made the query. A failed query of a loader is repeated by the next visit, not by components. */
const isReadByLoader = (query: Query): boolean => readByLoader.has(query);
