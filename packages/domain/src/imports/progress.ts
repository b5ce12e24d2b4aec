import type { ImportStatus } from './import-status.ts';
import type { Stage } from './stages.ts';

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

/** Percent of the processing scale. The rest up to 99 belongs to finalize. */
const parseShare = 70;
const enrichShare = 28;

/**
 * Progress of an import in percent, 0 to 100. Parse, enrich and finalize share one scale of 0–99; queued, processed and
 * completed are 100; uploading starts again at 0. Paused, failed and cancelled keep the last value.
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
  // An import that was cancelled in queued or processed had reached 100.
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
