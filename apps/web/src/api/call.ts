import { browserHeader } from '@draftshelf/contract/browser-header';
import { ErrorBody } from '@draftshelf/contract/errors';
import { pathOf, type ReplyOf, type Route } from '@draftshelf/contract/route';
import type { z } from 'zod';
import { browserId } from '../lib/browser-id.ts';

/** The input of a call to `R`. What the route does not declare cannot be passed. */
export type CallRequest<R extends Route> = {
  params?: R['params'] extends z.ZodType
    ? Record<keyof z.output<R['params']> & string, string | number>
    : never;
  query?: R['query'] extends z.ZodType ? z.input<R['query']> : never;
  body?: R['body'] extends z.ZodType ? z.input<R['body']> : never;
  /** Sends the header of a JSON body without a body, as the specification has it for some calls. */
  emptyJson?: boolean;
  /** One of the route's aliases. The specification names different paths for different screens. */
  path?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

type Reply = { body?: unknown; statusText?: string; retryAfter?: string | null };

/** A reply that is not 2xx. The specification fixes its message: `${status}: ${text}`. */
type OwnError = Pick<ErrorBody, 'message' | 'current'>;

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;
  /** The message of our own error body; null for any other body. */
  readonly serverMessage: string | null;
  /** For a conflict: what is stored now, in the shape that the call's contract says; undefined otherwise. */
  readonly current: unknown;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
  readonly statusText: string;
  /** The server asks to send the same request again after this time; null if it does not. */
  readonly retryAfterMs: number | null;

  constructor(status: number, text: string, own: OwnError | null, reply: Reply = {}) {
    super(`${status}: ${text}`);
    this.status = status;
    this.serverMessage = own?.message ?? null;
    this.current = own?.current;
    this.body = reply.body;
    this.statusText = reply.statusText ?? '';
    const seconds = Number.parseInt(reply.retryAfter ?? '', 10);
    this.retryAfterMs = Number.isNaN(seconds) ? null : seconds * 1000;
  }
}

/** A call without a reply: the server or the network is gone. Browsers say this in words of their own. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';

  constructor(cause: unknown) {
    super('The server can’t be reached', { cause });
  }
}

/**
 * Makes the error of a reply that is not 2xx. The text is the message of our own error body, else the whole body, else
 * the status text.
 */
export function callErrorOf(
  status: number,
  statusText: string,
  bodyText: string,
  retryAfter: string | null = null,
): CallError {
  const body = parseJson(bodyText);
  const reply = { body, statusText, retryAfter };
  const own = ErrorBody.partial({ code: true }).safeParse(body);
  if (own.success) return new CallError(status, own.data.message, own.data, reply);
  return new CallError(status, bodyText.trim() === '' ? statusText : bodyText, null, reply);
}

/** The message of an error for the user. `instead`: if it has none, as a reply without a body over HTTP/2. */
export function messageOf(error: Error, instead: string): string {
  const isEmpty =
    error.message === '' || (error instanceof CallError && error.message === `${error.status}: `);
  return isEmpty ? instead : error.message;
}

/** Parses JSON; undefined if `text` is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The URL of a call: the path with its parameters, then the query without null and undefined values. */
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

const jsonHeaders = { 'content-type': 'application/json' };

/**
 * Calls `route` and returns its parsed reply. Throws CallError if the reply is not 2xx, Error if it does not match the
 * contract, and NoReplyError if the server cannot be reached.
 */
export async function call<const R extends Route>(
  route: R,
  request: CallRequest<R> = {},
): Promise<ReplyOf<R>> {
  return (await callWithHeaders(route, request)).reply;
}

/** Like `call`, but also returns the reply's headers. */
export async function callWithHeaders<const R extends Route>(
  route: R,
  request: CallRequest<R> = {},
): Promise<{ reply: ReplyOf<R>; headers: Headers }> {
  const url = urlOf(
    request.path ?? route.path,
    request.params,
    request.query as Record<string, unknown> | undefined,
  );
  const response = await fetch(url, {
    method: route.method,
    credentials: 'include',
    headers: {
      [browserHeader]: browserId(),
      ...request.headers,
      ...(request.body === undefined && !request.emptyJson ? {} : jsonHeaders),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  }).catch((cause) => {
    // Fetch throws a TypeError for any network error, and something else if the caller aborts.
    throw cause instanceof TypeError ? new NoReplyError(cause) : cause;
  });
  const text = await response.text();
  if (!response.ok) throw callErrorOf(response.status, response.statusText, text);
  return { reply: parseReply(route, text), headers: response.headers };
}

/** Parses a 2xx reply by the route's schema. Throws an Error that names the call if it does not match. */
export function parseReply<const R extends Route>(route: R, text: string): ReplyOf<R> {
  const reply = route.reply.safeParse(parseJson(text));
  if (reply.success) return reply.data as ReplyOf<R>;
  const place = reply.error.issues[0];
  throw new Error(
    `Unexpected response from ${route.method} ${route.path}${
      place === undefined ? '' : ` at "${place.path.join('.')}" (${place.message})`
    }. Reload the page to get the latest version.`,
  );
}
