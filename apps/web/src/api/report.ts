import { getFailedRows, getLedger, getPushSeries, getReport } from '@draftshelf/contract/imports/report';
import { useQuery } from '@tanstack/react-query';
import { urlOf } from './call.ts';
import { readOf } from './read.ts';

const pollMs = 2000;

/** The report of an import, read again while something runs. If a later read fails, the last report stays. */
export function useReport(importId: string) {
  return useQuery({
    ...readOf(getReport, { params: { id: importId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'uploading' ? pollMs : false),
  });
}

/** Download of the rows of skipped and failed products. */
export function failedRowsUrl(importId: string): string {
  return urlOf(getFailedRows.path, { id: importId });
}

/** Download of an import's ledger. */
export function ledgerUrl(importId: string): string {
  return urlOf(getLedger.path, { id: importId });
}

const seriesPollMs = 5000;

/** The products that the last push of an import decided over time; read again while it runs. */
export function usePushSeries(importId: string, isRunning: boolean) {
  return useQuery({
    ...readOf(getPushSeries, { params: { id: importId } }),
    staleTime: 0,
    refetchInterval: isRunning ? seriesPollMs : false,
  });
}
