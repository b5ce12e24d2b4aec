import type { EarlierImport } from '@draftshelf/contract/reading/upload';
import { useQueries, useQuery } from '@tanstack/react-query';
import { urlOfEndpoint } from '../../../api/call.ts';
import { pollMs } from '../../../api/polls.ts';
import { freshMs, readOf } from '../../../api/read.ts';

/** The report of an import, read again while something runs. If a later read fails, the last report stays. */
export function useReport(importId: string, enabled: boolean) {
  return useQuery({
    ...readOf('getReport', { params: { id: importId } }),
    // Somebody may have pushed again since it was read.
    staleTime: freshMs,
    enabled,
    refetchInterval: ({ state }) => (state.data?.status === 'uploading' ? pollMs.report : false),
  });
}

/** Download of the rows of skipped and failed products. */
export function failedRowsUrl(importId: string): string {
  return urlOfEndpoint('getFailedRows', { id: importId });
}

/** Download of an import's ledger. */
export function ledgerUrl(importId: string): string {
  return urlOfEndpoint('getLedger', { id: importId });
}

/** The products that the last push of an import decided over time; read again while it runs. */
export function usePushSeries(importId: string, isRunning: boolean) {
  return useQuery({
    ...readOf('getPushSeries', { params: { id: importId } }),
    staleTime: 0,
    refetchInterval: isRunning ? pollMs.pushSeries : false,
  });
}

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
