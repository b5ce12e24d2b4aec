import { type EndpointName, endpointOf, pathOf } from '@draftshelf/contract/paths';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
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

type PagedList =
  | ('listGoneProducts' | 'listMissing' | 'listOwnValues')
  | ('listPictures' | 'listPlannedProducts' | 'listUndoneProducts');

/** A list in pages, each read `after` what the page before named as `next`. A later visit begins with fresh lines. */
export const pagesOf = <const N extends PagedList>(
  name: N,
  params: Record<string, string | number>,
  query: Omit<NonNullable<CallRequest<N>['query']>, 'after'>,
) =>
  infiniteQueryOptions({
    queryKey: [...readKey(name, params), query],
    queryFn: ({ pageParam, signal }): Promise<Reply<N>> =>
      call(name, { params, query: { ...query, after: pageParam }, signal } as CallRequest<N>),
    initialPageParam: undefined as string | number | undefined,
    getNextPageParam: ({ next }: { next: string | number | null }) => next ?? undefined,
    staleTime: 0,
    gcTime: 0,
  });

/** Milliseconds between repeated reads while their screen is shown. */
export const pollMs = {
  import: 2000,
  report: 2000,
  pushSeries: 5000,
  /** A preview of few products takes seconds. */
  preview: 500,
  undo: 2000,
  plan: 1000,
  corrections: 500,
  /** Others may undo a command at any time. */
  commands: 10_000,
  pictures: 2000,
  asking: 2000,
  storeBudget: 5000,
  storeSync: 2000,
  /** A store that does not answer is checked this often until it is back. */
  unreachedStore: 10_000,
  /** As specified. */
  dashboard: 5000,
  current: 2000,
  suppliers: 2000,
  folders: 5000,
  signIn: 2000,
  conditions: 15_000,
  workers: 5000,
  work: 5000,
  audit: 3000,
} as const;
