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
import { wireFields } from '../http/wire-fields.ts';

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

const jobFields = wireFields(Job);

function jobOf(
  record: ImportRecord,
  { readings, question, asksRecipes = false, retries, sameAs, supplier, draftsUrl }: BesideJob,
): Job {
  const reading = readings?.current;
  const progress = importProgress(record);
  const { created, updated, unchanged, skipped, failed } = record;
  return {
    ...jobFields(record),
    ...{ fileSize: record.file_bytes, sourceRef: record.source_path, supplier: supplier ?? null },
    isUndoing: record.undoes_run !== null && record.undoes_run !== record.push_run,
    changesGone: record.undoes_run === record.push_run,
    progress,
    progressPercentage: progress,
    // Until finalize, products with separated rows are counted more than once.
    processedProducts: Math.min(record.processed_products, record.total_products),
    createdProducts: created + updated + unchanged,
    outcomes: { created, updated, unchanged, skipped, failed },
    draftsUrl: draftsUrl ?? null,
    pace: null,
    fieldMapping: reading ? fieldMappingOf(reading.mapping) : {},
    dialect: reading?.dialect ?? null,
    rereading: (isRereading(record) && readings?.latest) || null,
    sameAs: sameAs ?? null,
    isUnreadable: false,
    otherCurrency: question ?? null,
    columnQuestions: reading?.mapping.questions?.length ?? 0,
    asksRecipes,
    autoHeld: heldSentence(record),
    nextRetryAt: retries?.nextRetryAt?.toISOString() ?? null,
    autoRetries: retries?.autoRetries ?? 0,
    isBeingDeleted: record.deletion_began_at !== null,
  };
}

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
