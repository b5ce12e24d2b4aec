import { getProduct, listRows, type Row } from '@draftshelf/contract/rows';
import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { readOf } from './read.ts';

/** A product of an import with its rows from number `from` on, read again whenever it is opened. */
export function useProduct(importId: string, { product, from }: { product: number; from: number }) {
  return useQuery({
    ...readOf(getProduct, { params: { id: importId, product }, query: { from } }),
    staleTime: 0,
    gcTime: 0,
  });
}

export type Direction = 'next' | 'previous';

/**
 * The nearest row after or before row number `from` that has a problem: its class is not valid. Null if there is none.
 * Throws what `call` throws.
 */
export async function findProblem(importId: string, from: number, direction: Direction): Promise<Row | null> {
  const isNext = direction === 'next';
  const cursor = isNext ? { after: from } : { before: from };
  const pages = await Promise.all(
    (['warning', 'error'] as const).map((ofClass) =>
      call(listRows, { params: { id: importId }, query: { class: ofClass, ...cursor, limit: 1 } }),
    ),
  );
  // If there is none before a cursor, the reply has the first page instead.
  const isBeyond = ({ row }: Row) => (isNext ? row > from : row < from);
  const found = pages.flatMap(({ rows }) => rows.filter(isBeyond)).sort((a, b) => a.row - b.row);
  return (isNext ? found[0] : found.at(-1)) ?? null;
}
