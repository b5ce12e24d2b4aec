import { authStatus } from '@draftshelf/contract/auth';
import type { FetchQueryOptions, Query, QueryClient } from '@tanstack/react-query';
import { createContext, type LoaderFunction, type LoaderFunctionArgs } from 'react-router';
import { isClosed } from './auth.ts';
import { readOf } from './read.ts';

/** The router passes the query cache to loaders under this key. */
export const clientContext = createContext<QueryClient>();

// biome-ignore lint/suspicious/noExplicitAny: query options of different replies stand in one list
type AnyRead = FetchQueryOptions<any, any, any, any>;

const readByLoader = new WeakSet<object>();

/**
 * A loader that starts a screen's reads and does not wait for them, so the screen is drawn at once. Its components use
 * the same query options and join the request. While it is not known that the session is open, the loader reads
 * nothing: the components read when the gate lets them mount.
 */
export function loaderOf(readsOf: (args: LoaderFunctionArgs) => readonly AnyRead[]): LoaderFunction {
  return (args) => {
    const client = args.context.get(clientContext);
    const status = client.getQueryData(readOf(authStatus).queryKey);
    if (status !== undefined && !isClosed(status)) {
      for (const read of readsOf(args)) start(client, read);
    }
    return null;
  };
}

function start(client: QueryClient, read: AnyRead): void {
  client.prefetchQuery(read);
  const query = client.getQueryCache().find({ queryKey: read.queryKey });
  if (query !== undefined) readByLoader.add(query);
}

/** Whether a loader retries this read on each visit when it has failed, so that components must not. */
export function isReadByLoader(query: Query): boolean {
  return readByLoader.has(query);
}
