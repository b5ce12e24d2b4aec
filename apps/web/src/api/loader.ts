import type { FetchInfiniteQueryOptions, FetchQueryOptions, Query, QueryClient } from '@tanstack/react-query';
import { createContext, type LoaderFunction, type LoaderFunctionArgs } from 'react-router';
import { readOf } from './read.ts';
import { needsLogin } from './session.ts';

export const clientContext = createContext<QueryClient>();

// biome-ignore lint/suspicious/noExplicitAny: a list holds query options of different replies
type AnyRead = FetchQueryOptions<any, any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyPagedRead = FetchInfiniteQueryOptions<any, any, any, any, any>;

const readByLoader = new WeakSet<object>();

/** Starts reads without waiting; the components join the requests. Without an open session it reads nothing. */
export const loaderOf =
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

/** A query that a loader has read. If it failed, the next visit retries it, not the components. */
export const isReadByLoader = (query: Query): boolean => readByLoader.has(query);
