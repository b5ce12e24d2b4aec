import { useQuery } from '@tanstack/react-query';
import { urlOfEndpoint } from '../../../api/call.ts';
import { readOf } from '../../../api/read.ts';

const pollMs = 2000;

/** The report of an import, read again while something runs. If a later read fails, the last report stays. */
export function useReport(importId: string, enabled: boolean) {
  return useQuery({
    ...readOf('getReport', { params: { id: importId } }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.status === 'uploading' ? pollMs : false),
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

const seriesPollMs = 5000;

/** The products that the last push of an import decided over time; read again while it runs. */
export function usePushSeries(importId: string, isRunning: boolean) {
  return useQuery({
    ...readOf('getPushSeries', { params: { id: importId } }),
    staleTime: 0,
    refetchInterval: isRunning ? seriesPollMs : false,
  });
}
