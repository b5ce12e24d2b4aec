import type { EarlierImport } from '@draftshelf/contract/reading/upload';
import { useQueries, useQuery } from '@tanstack/react-query';
import { freshMs, pollMs, readOf } from '../../../api/call.ts';

/** If a later read fails, the last report stays. */
export const useReport = (importId: string, enabled: boolean) =>
  useQuery({
    ...readOf('getReport', { params: { id: importId } }),
    // Another user may have pushed since.
    staleTime: freshMs,
    enabled,
    refetchInterval: ({ state }) => (state.data?.status === 'uploading' ? pollMs.report : false),
  });

export type { EarlierImport };

/** By hash: null if there is no earlier import or the server did not answer. */
export type EarlierImports = ReadonlyMap<string, EarlierImport | null>;

/** Absent while unknown. */
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
