import type { Row } from '@draftshelf/contract/review/rows';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { readOf } from '../../../api/read.ts';

/** A product of an import with its rows from number `from` on, read again whenever it is opened. */
export function useProduct(importId: string, { product, from }: { product: number; from: number }) {
  return useQuery({
    ...readOf('getProduct', { params: { id: importId, product }, query: { from } }),
    staleTime: 0,
    gcTime: 0,
  });
}

export type Direction = 'next' | 'previous';

/**
 * The nearest row after or before row number `from` that needs the operator. Null if there is none. Throws what `call`
 * throws.
 */
export async function findProblem(importId: string, from: number, direction: Direction): Promise<Row | null> {
  const isNext = direction === 'next';
  const cursor = isNext ? { after: from } : { before: from };
  const query = { class: 'needs-you', ...cursor, limit: 1 } as const;
  const { rows } = await call('listRows', { params: { id: importId }, query });
  // If there is none before a cursor, the reply has the first page instead.
  return rows.find(({ row }) => (isNext ? row > from : row < from)) ?? null;
}
