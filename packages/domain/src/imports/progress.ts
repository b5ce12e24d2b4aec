import type { ImportStatus } from './import-status.ts';
import type { Stage } from './stages.ts';

/** Columns of an import from which its progress is computed. */
export type ProgressCounters = {
  status: ImportStatus;
  paused_from: ImportStatus | null;
  failed_in: Stage | null;
  total_rows: number;
  parsed_rows: number;
  enrich_rows: number;
  enriched_rows: number;
  push_total: number;
  push_done: number;
};

/** Shares of the scale for parse and for enrich, in percent. Finalize has the rest up to 99. */
const parseShare = 70;
const enrichShare = 28;

/**
 * Returns the progress of an import in percent, 0 to 100. Parse, enrich and finalize share the scale 0–99. Queued,
 * processed and completed are 100; uploading starts again at 0. Paused, failed and cancelled keep their last value.
 */
export function importProgress(counters: ProgressCounters): number {
  const { status, paused_from: pausedFrom, failed_in: failedIn } = counters;
  if (status === 'queued' || status === 'processed' || status === 'completed') return 100;
  const isPush =
    status === 'uploading' ||
    pausedFrom === 'uploading' ||
    failedIn === 'push' ||
    (status === 'cancelled' && pausedFrom === null && counters.push_total > 0);
  if (isPush) return Math.min(99, part(counters.push_done, counters.push_total, 100));
  const { total_rows, parsed_rows, enrich_rows, enriched_rows } = counters;
  const parsed = part(parsed_rows, total_rows, parseShare);
  if (total_rows <= 0 || parsed_rows < total_rows) return parsed;
  // An import that is cancelled in `queued` or `processed` keeps the 100 that it had already reached.
  if (status === 'cancelled' && enriched_rows >= enrich_rows) return 100;
  return parsed + part(enriched_rows, enrich_rows, enrichShare);
}

function part(done: number, total: number, share: number): number {
  if (total <= 0) return 0;
  return Math.floor((Math.min(Math.max(done, 0), total) * share) / total);
}
