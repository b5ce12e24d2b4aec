import type { EarlierImport } from '@draftshelf/contract/reading/upload';
import { useQueries } from '@tanstack/react-query';
import { readOf } from '../../../api/read.ts';

export type { EarlierImport };

/** Per hash of a file: the import of the same bytes, null if there is none, or if the server did not answer. */
export type EarlierImports = ReadonlyMap<string, EarlierImport | null>;

/** The imports whose edits uploads of these files would get. A hash is absent while it is not known. */
export function useEarlierImports(hashes: readonly string[]): EarlierImports {
  return useQueries({
    queries: hashes.map((sha256) => ({ ...readOf('findEarlierImport', { query: { sha256 } }), gcTime: 0 })),
    combine: (readings) =>
      new Map(
        readings.flatMap(({ isFetching, data }, at) =>
          isFetching ? [] : [[hashes[at] as string, data?.earlier ?? null] as const],
        ),
      ),
  });
}
