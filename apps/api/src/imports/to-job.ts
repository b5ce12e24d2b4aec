import { Job } from '@draftshelf/contract/imports/imports';
import type { SupplierName } from '@draftshelf/contract/imports/list';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findExisting } from '@draftshelf/core/imports/imports';
import { findRecipeQuestions } from '@draftshelf/core/push/list-facts';
import { listPushesOfDrafts } from '@draftshelf/core/push/push-run';
import { type PriceQuestion, readPriceQuestions } from '@draftshelf/core/review/price-question';
import { readShownNames } from '@draftshelf/core/suppliers/suppliers';
import { type Retries, readRetries } from '@draftshelf/core/work/auto-retries';
import { isRereading } from '@draftshelf/core/work/reread-rollback';
import { type Readings, readReadings } from '@draftshelf/core/work/runs';
import { importProgress } from '@draftshelf/domain/imports/progress';
import { heldSentence } from '@draftshelf/domain/push/auto-push';
import { fieldMappingOf } from '@draftshelf/domain/reading/mapping/header-mapping';
import { draftsAdminUrl } from '@draftshelf/shopify/client';

const unreadable =
  'This import can’t be shown, because part of its data is damaged. Your file is kept. Upload it again to continue.';

type BesideJob = {
  readings?: Readings | undefined;
  question?: PriceQuestion | undefined;
  retries?: Retries | undefined;
  asksRecipes?: boolean;
  /** The earlier import of the same bytes; absent if it was deleted. */
  sameAs?: string | undefined;
  supplier?: SupplierName | undefined;
  draftsUrl?: string | undefined;
};

export async function readBesideJobs(
  db: Db,
  records: readonly ImportRecord[],
): Promise<Map<string, BesideJob>> {
  const ids = records.map(({ id }) => id);
  const readings = await readReadings(db, ids);
  const questions = await readPriceQuestions(db, records);
  const asking = await findRecipeQuestions(db, records);
  const retries = await readRetries(db, records);
  const same = records.flatMap(({ same_as }) => same_as ?? []);
  const earlier = await findExisting(db, same);
  const names = await readShownNames(db, records);
  const drafts = await readDraftsUrls(db, records);
  return new Map(
    records.map(({ id, same_as, supplier: ofList }) => {
      const sameAs = same_as !== null && earlier.has(same_as) ? same_as : undefined;
      const ofImport = { question: questions.get(id), retries: retries.get(id), sameAs };
      const supplier = ofList === null ? undefined : names.get(ofList);
      const ofPush = { asksRecipes: asking.has(id), draftsUrl: drafts.get(id) };
      return [id, { readings: readings.get(id), ...ofImport, ...ofPush, supplier }];
    }),
  );
}

/** Marks a damaged import as unreadable, because screens refuse a list with an invalid item. */
export function toJob(record: ImportRecord, beside: BesideJob): Job {
  try {
    return Job.parse(jobOf(record, beside));
  } catch {
    return { ...jobOf(record, {}), isUnreadable: true, errorMessage: unreadable };
  }
}

function jobOf(
  record: ImportRecord,
  { readings, question, asksRecipes = false, retries, sameAs, supplier, draftsUrl }: BesideJob,
): Job {
  const reading = readings?.current;
  const progress = importProgress(record);
  const { id, filename, status, source, shop, created, updated, unchanged, skipped, failed } = record;
  return {
    ...{ id, filename, fileSize: record.file_bytes, status, source, sourceRef: record.source_path, shop },
    supplier: supplier ?? null,
    pausedFrom: record.paused_from,
    pausedBy: record.paused_by,
    failedIn: record.failed_in,
    isUndoing: record.undoes_run !== null && record.undoes_run !== record.push_run,
    changesGone: record.undoes_run === record.push_run,
    progress,
    progressPercentage: progress,
    // Until finalize, products with separated rows are counted more than once.
    processedProducts: Math.min(record.processed_products, record.total_products),
    totalProducts: record.total_products,
    totalRows: record.total_rows,
    validProducts: record.valid_products,
    warningProducts: record.warning_products,
    errorProducts: record.error_products,
    createdProducts: created + updated + unchanged,
    outcomes: { created, updated, unchanged, skipped, failed },
    inStore: record.in_store,
    foundSincePush: record.found_since_push,
    draftsUrl: draftsUrl ?? null,
    testMode: record.test_mode,
    waitingFor: record.waiting_for,
    waitingUntil: timestamp(record.waiting_until),
    pace: null,
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
    sameAs: sameAs ?? null,
    sameFilename: record.same_filename,
    isUnreadable: false,
    otherCurrency: question ?? null,
    columnQuestions: reading?.mapping.questions?.length ?? 0,
    asksRecipes,
    autoMode: record.auto_mode,
    autoPushAt: timestamp(record.auto_push_at),
    autoHeld: heldSentence(record),
    nextRetryAt: timestamp(retries?.nextRetryAt ?? null),
    autoRetries: retries?.autoRetries ?? 0,
    rowsRemovedAt: timestamp(record.rows_removed_at),
    fileRemovedAt: timestamp(record.file_removed_at),
    isBeingDeleted: record.deletion_began_at !== null,
  };
}

const timestamp = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Returns, by import, where the store's admin lists the drafts of its last push. */
export async function readDraftsUrls(
  db: Db,
  records: readonly Pick<ImportRecord, 'id' | 'created' | 'completed_at'>[],
): Promise<Map<string, string>> {
  // A push that runs has not completed.
  const ends = new Map(
    records.flatMap(({ id, created, completed_at }) =>
      created > 0 && completed_at !== null ? [[id, completed_at] as const] : [],
    ),
  );
  const pushes = ends.size === 0 ? [] : await listPushesOfDrafts(db, [...ends.keys()]);
  return new Map(
    pushes.flatMap(({ id, storeUrl, from, to }) => {
      const end = to ?? ends.get(id);
      return end === undefined ? [] : [[id, draftsAdminUrl(storeUrl, from, end)] as const];
    }),
  );
}
