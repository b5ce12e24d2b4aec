import { type Author, BrowserId } from '@draftshelf/contract/review/edit-history';
import { browserHeader } from '@draftshelf/contract/wire';
import type { EditCommandRecord } from '@draftshelf/core/connection/schema';
import type { FastifyRequest } from 'fastify';

const call = 'call';

export const authorOf = (request: FastifyRequest): string => browserOf(request) ?? call;

export const browserOf = (request: FastifyRequest): string | undefined =>
  BrowserId.safeParse(request.headers[browserHeader]).data;

/** Kinds of commands that only workers begin. These commands have no author. */
const byWorker: readonly EditCommandRecord['kind'][] = ['copied', 'file', 'carried', 'recipes'];

export function toAuthor(
  { author, kind }: Pick<EditCommandRecord, 'author' | 'kind'>,
  browser: string | undefined,
): Author {
  if (author === null) return byWorker.includes(kind) ? 'worker' : 'unknown';
  if (author === call) return 'call';
  return author === browser ? 'this-browser' : 'another-browser';
}
