import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { freshMs, readOf } from '../../api/read.ts';

/** An answer is kept for so long after the palette has closed. */
const keptMs = 10_000;

/** Imports and products that hold a text; nothing is asked for an empty one. The answer before stays until the next. */
export function useFind(text: string) {
  const q = text.trim();
  return useQuery({
    ...readOf('findAnywhere', { query: { q } }),
    enabled: q !== '',
    staleTime: freshMs,
    gcTime: keptMs,
    placeholderData: keepPreviousData,
  });
}
