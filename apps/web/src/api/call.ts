import type { RouteOf } from '@draftshelf/contract/calls/routes';
import type { ErrorBody } from '@draftshelf/contract/errors';
import { type EndpointName, endpointOf, pathOf } from '@draftshelf/contract/paths';
import type { ReplyOf, Route } from '@draftshelf/contract/route';
import { browserHeader, buildHeader } from '@draftshelf/contract/wire';
import type { z } from 'zod';
import { newId } from '../lib/new-id.ts';
import { noteBuild } from '../lib/own-build.ts';

export type Reply<N extends EndpointName> = ReplyOf<RouteOf<N>>;

export type CallRequest<N extends EndpointName, R extends Route = RouteOf<N>> = {
  params?: R['params'] extends z.ZodType
    ? Record<keyof z.output<R['params']> & string, string | number>
    : never;
  query?: R['query'] extends z.ZodType ? z.input<R['query']> : never;
  body?: R['body'] extends z.ZodType ? z.input<R['body']> : never;
  /** Replaces the JSON body when there is a file. */
  form?: FormData;
  /** Sends the JSON header without a body, as the specification has it for some calls. */
  emptyJson?: boolean;
  /** An alias of the route: the specification names different paths for different screens. */
  path?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

type Answer = { body?: unknown; statusText?: string; retryAfter?: string | null };

/** The body of a reply that is not 2xx. The specification fixes its message: `${status}: ${text}`. */
type OwnError = Pick<ErrorBody, 'message' | 'current'>;

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;
  /** Null: the body is not ours. */
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

/** No reply: the server or network is gone. Browsers word this differently. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';

  constructor(cause: unknown) {
    super('The server can’t be reached', { cause });
  }
}

/** The message is that of our error body, else the whole body, else the status text. */
export function callErrorOf(
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

/** `instead` replaces a missing message, as of a reply without a body over HTTP/2. */
export function messageOf(error: Error, instead: string): string {
  const isEmpty =
    error.message === '' || (error instanceof CallError && error.message === `${error.status}: `);
  return isEmpty ? instead : error.message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function urlOf(
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

/** The URL of a download, which the browser opens itself. */
export const urlOfEndpoint = (name: EndpointName, params: Record<string, string | number>): string =>
  urlOf(endpointOf(name).path, params);

const jsonHeaders = { 'content-type': 'application/json' };

/**
 * Throws CallError if the reply is not 2xx, Error if it is no JSON, NoReplyError if the server cannot be reached.
 * Replies are not checked here: the server checks them against the contract in development and tests.
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
  const url = urlOf(
    request.path ?? path,
    request.params,
    request.query as Record<string, unknown> | undefined,
  );
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: {
      [browserHeader]: browserId(),
      ...request.headers,
      ...(request.body === undefined && !request.emptyJson ? {} : jsonHeaders),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.form === undefined ? {} : { body: request.form }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  }).catch((cause) => {
    // Fetch throws a TypeError for any network error, and something else if the caller aborts.
    throw cause instanceof TypeError ? new NoReplyError(cause) : cause;
  });
  noteBuild(response.headers.get(buildHeader));
  const text = await response.text();
  if (!response.ok) throw callErrorOf(response.status, response.statusText, text);
  return { reply: parseReply(name, text), headers: response.headers };
}

/** Throws an Error that names the call if the reply is no object or list in JSON. */
export function parseReply<const N extends EndpointName>(name: N, text: string): Reply<N> {
  const reply = parseJson(text);
  if (typeof reply === 'object' && reply !== null) return reply as Reply<N>;
  const { method, path } = endpointOf(name);
  throw new Error(`Unexpected response from ${method} ${path}. Reload the page to get the latest version.`);
}

const key = 'draftshelf-browser';

let made: string | undefined;

function browserId(): string {
  made ??= storedId();
  return made;
}

function storedId(): string {
  const id = newId();
  try {
    const known = localStorage.getItem(key);
    if (known !== null && known.length === id.length) return known;
    localStorage.setItem(key, id);
  } catch {}
  return id;
}
