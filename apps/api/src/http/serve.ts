import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '@draftshelf/contract/route';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { SecurityEventKind } from '@draftshelf/domain/access/security-events';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { JsonReplies } from './json-reply.ts';
import { invalid, notFound } from './refusal.ts';
import type { EventDetails, SecurityLog } from './security-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    open?: boolean;
    /** Whether the route sends data although its path is outside /api. */
    isData?: boolean;
    cache?: string;
  }
}

type Serving = {
  app: FastifyInstance;
  /** Whether replies are checked against the contract. True in development and tests. */
  checkReplies: boolean;
  replies: JsonReplies;
  tallies: Tallies;
  securityLog: Pick<SecurityLog, 'record'>;
};

/** Dependencies of all routes. */
export type Api = Serving & {
  /** The database for reads. */
  db: OpenDatabase['db'];
  changes: OpenDatabase;
};

export type Call<R extends Route> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  /** Returns a signal that aborts when the client closes the connection. */
  closed: () => AbortSignal;
  logSecurity: (kind: SecurityEventKind, about?: EventDetails) => void;
  request: FastifyRequest;
  reply: FastifyReply;
};

type ServeOptions<R extends Route> = {
  open?: boolean;
  etag?: (call: Call<R>) => Promise<string>;
  /** Whether concurrent requests with equal URL and version share a body. The handler must not use request or reply. */
  isShared?: boolean;
  /** Returns whether the reply is delayed on purpose. Such a reply is not timed. */
  isHeld?: (call: Call<R>) => boolean;
};

export function serve<R extends Route>(
  { app, checkReplies, replies, tallies, securityLog }: Serving,
  route: R,
  handler: (call: Call<R>) => Promise<ReplyOf<R>>,
  options: ServeOptions<NoInfer<R>> = {},
): void {
  // Only reads are timed, because uploads and actions also wait for the client, for locks or for other services.
  const isTimed = (call: Call<R>) => route.method === 'GET' && options.isHeld?.(call) !== true;
  const share = createSharedRuns<ReplyOf<R>>();
  const makeBody = (call: Call<R>, version: string | undefined) =>
    options.isShared && version !== undefined
      ? share(`${call.request.url} ${version}`, call.closed(), (signal) =>
          handler({ ...call, closed: () => signal }),
        )
      : handler(call);
  const sendBody = async (call: Call<R>, version: string | undefined, began: number) => {
    const body = await makeBody(call, version);
    if (isTimed(call)) {
      tallies.add('http-timed');
      if (performance.now() - began > slowMs) tallies.add('http-slow');
    }
    logAction(call.request, route, body);
    if (checkReplies) route.reply.parse(body);
    // Replies of open routes may echo the input of unauthenticated clients, so they are never compressed.
    return options.open ? body : replies.prepare(call.request, call.reply, body as object);
  };
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const began = performance.now();
    const call = parseCall(securityLog, route, { request, reply });
    const version = await options.etag?.(call);
    if (version === undefined) return sendBody(call, version, began);
    const etag = `"${version}"`;
    reply.header('etag', etag);
    if (isEtagMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return sendBody(call, version, began);
  };
  for (const url of [route.path, ...(route.aliases ?? [])]) {
    app.route({ method: route.method, url, config: { open: options.open ?? false }, handler: handle });
  }
}

/** Calls `forget` before the reply to each request that may change data, so that the next read shows the change. */
export function forgetOnChange({ app }: Serving, forget: () => void): void {
  app.addHook('onSend', (request, _reply, body, done) => {
    if (request.method !== 'GET') forget();
    done(null, body);
  });
}

const slowMs = 1_000;

/** Parses a request by its contract, for routes that do not use `serve`. Throws a Refusal. */
export function parseCall<R extends Route>(
  securityLog: Serving['securityLog'],
  route: R,
  { request, reply }: Pick<Call<R>, 'request' | 'reply'>,
): Call<R> {
  const params = route.params?.safeParse(request.params);
  if (params?.error) throw notFound('Not found.');
  const query = route.query?.safeParse(request.query, { reportInput: true });
  if (query?.error) throw invalidBy(query.error);
  const body = route.body?.safeParse(request.body, { reportInput: true });
  if (body?.error) throw invalidBy(body.error);
  const texts = request.params as Record<string, string>;
  const given = { params: { ...texts, ...params?.data }, query: query?.data, body: body?.data };
  const logSecurity: Call<R>['logSecurity'] = (...event) => securityLog.record(request, ...event);
  return { ...given, request, reply, closed: () => closedSignal(reply), logSecurity } as Call<R>;
}

/** Returns a signal that aborts if the client leaves before the reply. Fastify's own aborts once the body is read. */
function closedSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function invalidBy(error: z.ZodError) {
  const issue = error.issues[0];
  const field = issue?.path.join('.') ?? '';
  const message = issue ? invalidRequestSentence(issue, field) : 'Invalid request.';
  return invalid(message, field);
}

function logAction(request: FastifyRequest, { method, path, action: named }: Route, reply: unknown): void {
  if (method === 'GET' || typeof reply !== 'object' || reply === null || !('job' in reply)) return;
  const { job } = reply;
  if (typeof job !== 'object' || job === null || !('id' in job) || !('status' in job)) return;
  const word = path.slice(path.lastIndexOf('/') + 1);
  const action = named ?? (method === 'DELETE' ? `stop ${word}` : word);
  request.log.info({ importId: job.id, action, status: job.status, reqId: request.id }, 'action');
}

export function invalidRequestSentence(issue: z.core.$ZodIssue, field: string): string {
  const what = field === '' ? 'The request' : `The field ${field}`;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && field === '') return 'The request needs a JSON body.';
      if (issue.input === undefined) return `${what} is missing.`;
      return `${what} must be ${article(issue.expected)}.`;
    case 'invalid_value':
      return `${what} must be one of ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `${what} has an unknown field: ${issue.keys.join(', ')}.`;
    case 'too_big':
      return `${what} is too ${issue.origin === 'string' ? 'long' : 'large'} (maximum ${issue.maximum}).`;
    case 'too_small':
      return `${what} is too ${issue.origin === 'string' ? 'short' : 'small'} (minimum ${issue.minimum}).`;
    case 'custom':
      return issue.message;
    default:
      return `${what} is invalid.`;
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

type SharedRun<T> = { result: Promise<T>; waiting: number; controller: AbortController };

// Shares the result of `work` among concurrent callers with the same key. Aborts `work` when all callers have aborted.
export function createSharedRuns<T>(): (
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T> {
  const running = new Map<string, SharedRun<T>>();
  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>) => {
    const controller = new AbortController();
    const end = () => {
      if (running.get(key) === run) running.delete(key);
    };
    controller.signal.addEventListener('abort', end);
    const run = { result: work(controller.signal).finally(end), waiting: 0, controller };
    running.set(key, run);
    return run;
  };
  return (key, signal, work) => {
    const run = running.get(key) ?? begin(key, work);
    run.waiting += 1;
    signal.addEventListener('abort', () => {
      run.waiting -= 1;
      if (run.waiting === 0) run.controller.abort();
    });
    return run.result;
  };
}

/** Compares ETags weakly, as RFC 9110 requires, because a compressing proxy turns "x" into W/"x". */
export function isEtagMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
}
