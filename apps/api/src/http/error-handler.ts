import type { ErrorBody } from '@draftshelf/contract/errors';
import {
  describeRefusal,
  isBusyError,
  isCancelledStatement,
  isDatabaseRefusal,
  isDatabaseUnavailable,
} from '@draftshelf/core/connection/database';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import { isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, Refusal } from './refusal.ts';

/** Sends every reply that is not 2xx as `{ code, message, field? }`. Internal errors are logged, not sent. */
export function handleErrors(app: FastifyInstance, tallies: Tallies): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = errorReply(error, request);
    if (error instanceof Refusal && error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', error.retryAfterSeconds);
    }
    if (isStorageUnavailable(error)) tallies.add('storage-errors');
    if (status >= 500 && isDatabaseRefusal(error)) tallies.add('database-refusals');
    if (status >= 500) tallies.add('http-failures');
    if (status >= 500) request.log.error({ err: error, status, reqId: request.id }, 'request failed');
    else if (error instanceof Refusal && error.cause)
      request.log.warn({ err: error.cause, status, reqId: request.id }, 'request refused');
    return reply.code(status).send(body);
  });
}

/** Replies to a URL that cannot be decoded ('%zz'). No route or hook sees such a request. */
export function replyToBadUrl(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = notFound('Not found.');
  reply.code(status).send(body);
}

function errorReply(error: unknown, request: FastifyRequest): { status: number; body: ErrorBody } {
  if (error instanceof Refusal) return error;
  if (request.method !== 'GET' && isBusyError(error)) {
    const message = 'Another operation is in progress. Try again in a moment.';
    return { status: 409, body: { code: 'busy', message } };
  }
  if (isCancelledStatement(error)) {
    return unavailable('too_slow', 'This took too long and was stopped. Try again in a moment.');
  }
  if (isStorageUnavailable(error)) {
    return unavailable(
      'storage_unavailable',
      'Object storage is unavailable right now. Try again in a moment.',
    );
  }
  if (isDatabaseUnavailable(error)) {
    return unavailable(
      'database_unavailable',
      describeRefusal(error) ?? 'The database is unavailable right now. Try again in a moment.',
    );
  }
  return clientError(error) ?? serverError(request);
}

const unavailable = (code: string, message: string) => ({ status: 503, body: { code, message } });

function serverError({ id }: FastifyRequest) {
  const message = `Something went wrong on our side. Check the log for request ${id}.`;
  return { status: 500, body: { code: 'internal', message } };
}

/** Returns the reply to one of Fastify's errors for malformed requests, whose messages reveal nothing internal. */
function clientError(error: unknown): { status: number; body: ErrorBody } | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const status = error.statusCode;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const code = codes[status] ?? 'invalid';
  return { status, body: { code, message: error.message } };
}

const codes: Record<number, string> = { 413: 'too_large', 415: 'unsupported_media_type' };
