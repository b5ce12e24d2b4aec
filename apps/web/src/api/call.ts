import type { RouteOf } from '@draftshelf/contract/calls/routes';
import type { ErrorBody } from '@draftshelf/contract/errors';
import { type EndpointName, endpointOf, type ParamName, pathOf } from '@draftshelf/contract/paths';
import type { ReplyOf, Route } from '@draftshelf/contract/route';
import { browserHeader, buildHeader } from '@draftshelf/contract/wire';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { newId } from '../lib/new-id.ts';
import { noteServerBuild } from '../lib/own-build.ts';
import { attempt } from '../lib/storage.ts';

export type Reply<N extends EndpointName> = ReplyOf<RouteOf<N>>;

export type CallRequest<N extends EndpointName, R extends Route = RouteOf<N>> = {
  params?: [ParamName<N>] extends [never] ? never : Record<ParamName<N>, string | number>;
  query?: R['query'] extends z.ZodType ? z.input<R['query']> : never;
  body?: R['body'] extends z.ZodType ? z.input<R['body']> : never;
  /** A form to send instead of a JSON body, for the upload of a file. */
  form?: FormData;
  /** Sends the JSON header without a body, which some calls of the contract require. */
  emptyJson?: boolean;
  /** An alternative path of the route, which some screens use. */
  path?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

type Answer = { body?: unknown; statusText?: string; retryAfter?: string | null };

/** The fields of an error reply that screens use. CallError itself has the message `${status}: ${text}`. */
type OwnError = Pick<ErrorBody, 'message' | 'current'>;

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;
  /** Null if the body is not one of our error bodies. */
  readonly serverMessage: string | null;
  readonly code: string | null;
  readonly field: string | null;
  readonly current: unknown;
  readonly body: unknown;
  readonly statusText: string;
  readonly retryAfterMs: number | null;

  constructor(status: number, text: string, own: OwnError | null, reply: Answer = {}) {
    super(`${status}: ${text}`);
    this.status = status;
    this.serverMessage = own?.message ?? null;
    this.code = textIn(reply.body, 'code');
    this.field = textIn(reply.body, 'field');
    this.current = own?.current;
    this.body = reply.body;
    this.statusText = reply.statusText ?? '';
    const seconds = Number.parseInt(reply.retryAfter ?? '', 10);
    this.retryAfterMs = Number.isNaN(seconds) ? null : seconds * 1000;
  }
}

/** Returns the server's message; null if the server gave no reason. */
export const serverMessageOf = (error: unknown): string | null =>
  error instanceof CallError ? error.serverMessage : null;

/** Thrown if no reply arrives, because the server or the network is unreachable. Browsers differ in their messages. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';

  constructor(cause: unknown) {
    super('The server can’t be reached', { cause });
  }
}

/** Creates the error of a refusal. Its message is the server's message, else the whole body, else the status text. */
export function createCallError(
  status: number,
  statusText: string,
  bodyText: string,
  retryAfter: string | null = null,
): CallError {
  const body = parseJson(bodyText);
  const reply = { body, statusText, retryAfter };
  if (isOwn(body)) return new CallError(status, body.message, body, reply);
  return new CallError(status, bodyText.trim() === '' ? statusText : bodyText, null, reply);
}

function textIn(body: unknown, name: string): string | null {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : null;
  return typeof value === 'string' ? value : null;
}

const isOwn = (body: unknown): body is OwnError =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';

/** Returns an error's message, or `instead` if the message is empty, because HTTP/2 replies have no status text. */
export function messageOf(error: Error, instead: string): string {
  const isEmpty =
    error.message === '' || (error instanceof CallError && error.message === `${error.status}: `);
  return isEmpty ? instead : error.message;
}

const parseJson = (text: string): unknown => attempt(() => JSON.parse(text));

export function buildUrl(
  path: string,
  params: Record<string, string | number> = {},
  query: Record<string, unknown> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return pathOf(path, params) + (text === '' ? '' : `?${text}`);
}

/** Returns the URL of a download, which the browser opens itself. */
export const buildDownloadUrl = (name: EndpointName, params: Record<string, string | number>): string =>
  buildUrl(endpointOf(name).path, params);

const jsonHeaders = { 'content-type': 'application/json' };

/**
 * Throws CallError if the reply is not 2xx, Error if it is not JSON, NoReplyError if the server cannot be reached.
 * Replies are not validated here, because the server validates them in development and tests.
 */
export async function call<const N extends EndpointName>(
  name: N,
  request: CallRequest<N> = {},
): Promise<Reply<N>> {
  return (await callWithHeaders(name, request)).reply;
}

export async function callWithHeaders<const N extends EndpointName>(
  name: N,
  request: CallRequest<N> = {},
): Promise<{ reply: Reply<N>; headers: Headers }> {
  const { method, path } = endpointOf(name);
  const url = buildUrl(
    request.path ?? path,
    request.params,
    request.query as Record<string, unknown> | undefined,
  );
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: {
      ...(method === 'GET' && !showsAuthors.has(name) ? {} : { [browserHeader]: browserId() }),
      ...request.headers,
      ...(request.body === undefined && !request.emptyJson ? {} : jsonHeaders),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.form === undefined ? {} : { body: request.form }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  }).catch((cause) => {
    // Fetch throws a TypeError for any network error, and another error if the caller aborts.
    throw cause instanceof TypeError ? new NoReplyError(cause) : cause;
  });
  noteServerBuild(response.headers.get(buildHeader));
  const text = await response.text();
  if (!response.ok) throw createCallError(response.status, response.statusText, text);
  return { reply: parseReply(name, text), headers: response.headers };
}

/** Throws an Error with the call's name if the reply is neither a JSON object nor a list. */
export function parseReply<const N extends EndpointName>(name: N, text: string): Reply<N> {
  const reply = parseJson(text);
  if (typeof reply === 'object' && reply !== null) return reply as Reply<N>;
  const { method, path } = endpointOf(name);
  throw new Error(`Unexpected response from ${method} ${path}. Reload the page to get the latest version.`);
}

/**
 * Calls that send this browser's id, because their replies mark the commands of this browser. All other calls omit the
 * id: the page preloads some of them, and a browser uses a preloaded reply only for a request with equal headers.
 */
const showsAuthors: ReadonlySet<EndpointName> = new Set(['listCommands', 'listRowEdits']);

const key = 'draftshelf-browser';

let made: string | undefined;

function browserId(): string {
  made ??= storedId();
  return made;
}

function storedId(): string {
  const id = newId();
  const known = attempt(() => localStorage.getItem(key));
  if (known?.length === id.length) return known;
  attempt(() => localStorage.setItem(key, id));
  return id;
}

/** Time in which a screen does not repeat a read, because the screen's loader has often just made the same read. */
export const freshMs = 1000;

/**
 * Returns the cache key of a read: path segments that form the path when joined by '/', then the query.
 * '/api/<resource>' is one segment, so a resource's key is a prefix of all keys below it.
 */
export function toCacheKey(
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

/** Returns the options of a read. `complete` adds the fields that a reply may lack. */
export const readOf = <const N extends EndpointName>(
  name: N,
  request: CallRequest<N> = {},
  complete: (reply: Reply<N>) => Reply<N> = (reply) => reply,
) =>
  queryOptions<Reply<N>>({
    queryKey: toCacheKey(name, request.params, request.query as Record<string, unknown> | undefined),
    queryFn: async ({ signal }) => complete(await call(name, { ...request, signal })),
  });

type PagedList =
  | ('listGoneProducts' | 'listMissing' | 'listOwnValues')
  | ('listPictures' | 'listPlannedProducts' | 'listUndoneProducts');

/** Returns the options of a paged list. A page's `next` is the next page's `after`. A later visit begins at page 1. */
export const pagedReadOf = <const N extends PagedList>(
  name: N,
  params: Record<string, string | number>,
  query: Omit<NonNullable<CallRequest<N>['query']>, 'after'>,
) =>
  infiniteQueryOptions({
    queryKey: [...toCacheKey(name, params), query],
    queryFn: ({ pageParam, signal }): Promise<Reply<N>> =>
      call(name, { params, query: { ...query, after: pageParam }, signal } as CallRequest<N>),
    initialPageParam: undefined as string | number | undefined,
    getNextPageParam: ({ next }: { next: string | number | null }) => next ?? undefined,
    staleTime: 0,
    gcTime: 0,
  });

export const pollMs = {
  import: 2000,
  report: 2000,
  pushSeries: 5000,
  /** Short, because the preview of a few products takes only seconds. */
  preview: 500,
  undo: 2000,
  plan: 1000,
  corrections: 500,
  /** Polled, because other operators may undo a command at any time. */
  commands: 10_000,
  pictures: 2000,
  asking: 2000,
  storeBudget: 5000,
  storeSync: 2000,
  /** Interval at which an unreachable store is checked. */
  unreachedStore: 10_000,
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

/**
 * Sends a file by XMLHttpRequest, because fetch reports no upload progress. Returns the text of the reply. Rejects
 * with CallError if refused, NoReplyError if the server cannot be reached, and the signal's reason if aborted.
 */
export const sendBody = (
  method: string,
  url: string,
  body: Blob | FormData,
  { onSent, signal }: { onSent: (bytes: number, isWhole: boolean) => void; signal: AbortSignal | undefined },
): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, loaded === total));
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request;
      if (status >= 200 && status <= 299) return resolve(responseText);
      reject(createCallError(status, statusText, responseText, request.getResponseHeader('retry-after')));
    });
    request.addEventListener('error', () => reject(new NoReplyError(null)));
    request.addEventListener('abort', () => reject(signal?.reason));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    if (signal?.aborted) return reject(signal.reason);
    request.send(body);
  });
