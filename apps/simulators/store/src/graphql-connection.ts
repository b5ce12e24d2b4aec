import { GraphQLError } from 'graphql';

export type PageArguments = {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
  reverse?: boolean | null;
};

const pageSizeMax = 250;

/** A list paged as in the Admin API; cursors are ids, so pages stay correct while items are added. */
export function connection<T>(
  all: readonly T[],
  idOf: (one: T) => string,
  view: (one: T) => object,
  args: PageArguments,
) {
  const size = args.first ?? args.last;
  if (size === null || size === undefined) throw badRequest('you must provide one of first or last');
  if (size < 0 || size > pageSizeMax) throw badRequest(`first cannot exceed ${pageSizeMax}`);
  const ordered = args.reverse ? [...all].reverse() : all;
  const after = args.after ? indexOf(ordered, idOf, args.after) + 1 : 0;
  const before = args.before ? indexOf(ordered, idOf, args.before) : ordered.length;
  const start = args.first === null || args.first === undefined ? Math.max(after, before - size) : after;
  const page = ordered.slice(start, Math.min(before, start + size));
  return {
    nodes: () => page.map(view),
    edges: () => page.map((one) => ({ cursor: cursorOf(idOf(one)), node: view(one) })),
    pageInfo: {
      hasNextPage: start + page.length < ordered.length,
      hasPreviousPage: start > 0,
      startCursor: page[0] === undefined ? null : cursorOf(idOf(page[0])),
      endCursor: page.length === 0 ? null : cursorOf(idOf(page[page.length - 1] as T)),
    },
  };
}

function indexOf<T>(ordered: readonly T[], idOf: (one: T) => string, cursor: string): number {
  const id = Buffer.from(cursor, 'base64url').toString();
  const index = ordered.findIndex((one) => idOf(one) === id);
  if (index < 0) throw badRequest('Invalid cursor for current pagination sort.');
  return index;
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
}
