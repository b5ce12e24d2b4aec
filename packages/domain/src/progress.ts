import type { ImportStatus, Stage } from './import-status.ts';

export type ProgressCounters = {
  status: ImportStatus;
  pausedFrom: ImportStatus | null;
  failedIn: Stage | null;
  totalRows: number;
  parsedRows: number;
  enrichRows: number;
  enrichedRows: number;
  pushTotal: number;
  pushDone: number;
};

/** Shares of the one processing scale (decision P10); what is left up to 99 is finalize's. */
const parseShare = 70;
const enrichShare = 28;

/**
 * Progress of an import, 0 to 100 (decisions C11, P10): one 0–99 scale over parse, enrich and finalize, 100 at
 * rest in queued, processed and completed, from 0 again while uploading. Paused, failed and cancelled keep the
 * last value.
 */
export function importProgress(counters: ProgressCounters): number {
  const { status, pausedFrom, failedIn } = counters;
  if (status === 'queued' || status === 'processed' || status === 'completed') return 100;
  const isPush =
    status === 'uploading' ||
    pausedFrom === 'uploading' ||
    failedIn === 'push' ||
    (status === 'cancelled' && pausedFrom === null && counters.pushTotal > 0);
  if (isPush) return Math.min(99, part(counters.pushDone, counters.pushTotal, 100));
  const processing = processingProgress(counters);
  // An import that was cancelled at rest had reached 100.
  return status === 'cancelled' && isProcessed(counters) ? 100 : processing;
}

function processingProgress(counters: ProgressCounters): number {
  const parsed = part(counters.parsedRows, counters.totalRows, parseShare);
  const isParsed = counters.totalRows > 0 && counters.parsedRows >= counters.totalRows;
  return isParsed ? parsed + part(counters.enrichedRows, counters.enrichRows, enrichShare) : parsed;
}

function isProcessed({ totalRows, parsedRows, enrichRows, enrichedRows }: ProgressCounters): boolean {
  return totalRows > 0 && parsedRows >= totalRows && enrichedRows >= enrichRows;
}

function part(done: number, total: number, share: number): number {
  if (total <= 0) return 0;
  return Math.floor((Math.min(Math.max(done, 0), total) * share) / total);
}
