import { Job } from '@draftshelf/contract/imports';
import type { Readings } from '@draftshelf/database/chunks/runs';
import type { PriceQuestion } from '@draftshelf/database/imports/price-question';
import type { ImportRecord } from '@draftshelf/database/schema';
import { fieldMappingOf } from '@draftshelf/domain/mapping/header-mapping';
import { importProgress } from '@draftshelf/domain/progress';
import { isRereading } from '@draftshelf/imports/reread/reread-rollback';

const unreadable =
  'This import can’t be shown, because part of its data is damaged. Your file is kept. Upload it again to continue.';

/**
 * An import as the specification's job. One whose stored reading cannot be shown says so, so that it does not take the
 * others of its list away: screens refuse a list with one wrong item.
 */
export function toJob(record: ImportRecord, readings: Readings | undefined, question?: PriceQuestion): Job {
  try {
    return Job.parse(jobOf(record, readings, question));
  } catch {
    return { ...jobOf(record, undefined), isUnreadable: true, errorMessage: unreadable };
  }
}

function jobOf(record: ImportRecord, readings: Readings | undefined, question?: PriceQuestion): Job {
  const reading = readings?.current;
  const progress = progressOf(record);
  const { created, updated, unchanged, skipped, failed } = record;
  return {
    id: record.id,
    filename: record.filename,
    fileSize: record.file_bytes,
    status: record.status,
    pausedFrom: record.paused_from,
    pausedBy: record.paused_by,
    failedIn: record.failed_in,
    progress,
    progressPercentage: progress,
    // Until finalize, products whose rows stand apart are counted more than once.
    processedProducts: Math.min(record.processed_products, record.total_products),
    totalProducts: record.total_products,
    totalRows: record.total_rows,
    validProducts: record.valid_products,
    warningProducts: record.warning_products,
    errorProducts: record.error_products,
    createdProducts: created + updated + unchanged,
    outcomes: { created, updated, unchanged, skipped, failed },
    inStore: record.in_store,
    testMode: record.test_mode,
    shop: record.shop,
    waitingFor: record.waiting_for,
    waitingUntil: timestamp(record.waiting_until),
    createdAt: record.created_at.toISOString(),
    startedAt: timestamp(record.started_at),
    completedAt: timestamp(record.completed_at),
    errorLog: record.error_log,
    errorCount: record.error_count,
    errorMessage: record.error_message,
    fieldMapping: reading ? fieldMappingOf(reading.mapping) : {},
    dialect: reading?.dialect ?? null,
    rereading: (isRereading(record) && readings?.latest) || null,
    editsWithoutRow: record.edits_without_row,
    sameAs: record.same_as,
    source: record.source,
    sourceRef: record.source_path,
    isUnreadable: false,
    otherCurrency: question ?? null,
  };
}

const timestamp = (date: Date | null): string | null => date?.toISOString() ?? null;

function progressOf(record: ImportRecord): number {
  return importProgress({
    status: record.status,
    pausedFrom: record.paused_from,
    failedIn: record.failed_in,
    totalRows: record.total_rows,
    parsedRows: record.parsed_rows,
    enrichRows: record.enrich_rows,
    enrichedRows: record.enriched_rows,
    pushTotal: record.push_total,
    pushDone: record.push_done,
  });
}
