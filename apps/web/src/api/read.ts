import type { ReplyOf, Route } from '@draftshelf/contract/route';
import { pathOf } from '@draftshelf/contract/route';
import { queryOptions } from '@tanstack/react-query';
import { type CallRequest, call } from './call.ts';

/** A screen does not repeat a read within this time: its loader has often just made it. */
export const freshMs = 1000;

/**
 * The cache key of a read: path segments that form the path when joined with '/', as the specification requires, then
 * the query if there is one. '/api/<resource>' is one segment, so a resource's key is a prefix of everything below it.
 */
export function readKey(
  path: string,
  params: Record<string, string | number> = {},
  query?: Record<string, unknown>,
): readonly unknown[] {
  const [, api, resource, ...rest] = pathOf(path, params).split('/');
  const segments = [`/${api}/${resource}`, ...rest];
  return query === undefined ? segments : [...segments, query];
}

/** Query options that read `route` once and cache it until a poll, an invalidation or a reload. */
export function readOf<const R extends Route>(route: R, request: CallRequest<R> = {}) {
  return queryOptions<ReplyOf<R>>({
    queryKey: readKey(route.path, request.params, request.query as Record<string, unknown> | undefined),
    queryFn: ({ signal }) => call(route, { ...request, signal }),
  });
}
