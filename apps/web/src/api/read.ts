import { type EndpointName, endpointOf, pathOf } from '@draftshelf/contract/paths';
import { queryOptions } from '@tanstack/react-query';
import { type CallRequest, call, type Reply } from './call.ts';

/** A screen does not repeat a read within this time, because its loader has often just made it. */
export const freshMs = 1000;

/**
 * Returns the cache key of a read: path segments that form the path when joined with '/', as the specification
 * requires, then the query. '/api/<resource>' is one segment, so a resource's key is a prefix of all keys below it.
 */
export function readKey(
  target: EndpointName | `/${string}`,
  params: Record<string, string | number> = {},
  query?: Record<string, unknown>,
): readonly unknown[] {
  const path = isPath(target) ? target : endpointOf(target).path;
  const [, api, resource, ...rest] = pathOf(path, params).split('/');
  const segments = [`/${api}/${resource}`, ...rest];
  return query === undefined ? segments : [...segments, query];
}

const isPath = (target: string): target is `/${string}` => target.startsWith('/');

/** `complete` adds the parts that a reply with the specification's fields only leaves out. */
export function readOf<const N extends EndpointName>(
  name: N,
  request: CallRequest<N> = {},
  complete: (reply: Reply<N>) => Reply<N> = (reply) => reply,
) {
  return queryOptions<Reply<N>>({
    queryKey: readKey(name, request.params, request.query as Record<string, unknown> | undefined),
    queryFn: async ({ signal }) => complete(await call(name, { ...request, signal })),
  });
}
