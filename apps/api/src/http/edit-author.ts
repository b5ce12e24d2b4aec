import { type Author, BrowserId } from '@draftshelf/contract/review/edit-history';
import { browserHeader } from '@draftshelf/contract/wire';
import type { EditCommandRecord } from '@draftshelf/core/connection/schema';
import type { FastifyRequest } from 'fastify';

const call = 'call';

/** The author of a command: the id of the browser that sends the request, or 'call'. */
export const authorOf = (request: FastifyRequest): string => browserOf(request) ?? call;

/** The id of the browser that sends a request; undefined for a call. */
export const browserOf = (request: FastifyRequest): string | undefined =>
  BrowserId.safeParse(request.headers[browserHeader]).data;

/** Kinds of commands that no operator has begun, if they have no author. */
const byWorker: readonly string[] = ['copied', 'carried', 'recipes'] satisfies EditCommandRecord['kind'][];

/** The author of a stored command as the browser that asks is told. */
export function shownAuthor(
  { author, kind }: Pick<EditCommandRecord, 'author' | 'kind'>,
  browser: string | undefined,
): Author {
  if (author === null) return byWorker.includes(kind) ? 'worker' : 'unknown';
  if (author === call) return 'call';
  return author === browser ? 'this-browser' : 'another-browser';
}
