import type { EarlierImport } from '@draftshelf/contract/reading/upload';
import { useQueries } from '@tanstack/react-query';
import { readOf } from '../../../api/call.ts';

export type { EarlierImport };

/** Earlier imports by the file's hash. Null if there is no earlier import or if the server did not answer. */
export type EarlierImports = ReadonlyMap<string, EarlierImport | null>;

/** Finds earlier imports of files with these hashes. The map lacks a hash while its result is unknown. */
export const useEarlierImports = (hashes: readonly string[]): EarlierImports =>
  useQueries({
    queries: hashes.map((sha256) => ({ ...readOf('findEarlierImport', { query: { sha256 } }), gcTime: 0 })),
    combine: (readings) =>
      new Map(
        readings.flatMap(({ isFetching, data }, at) =>
          isFetching ? [] : [[hashes[at] as string, data?.earlier ?? null] as const],
        ),
      ),
  });
