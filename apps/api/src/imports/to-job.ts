import { Job } from '@draftshelf/contract/imports/imports';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findExistingImports } from '@draftshelf/core/imports/imports';
import { findRecipeQuestions } from '@draftshelf/core/push/list-facts';
import { listDraftPushes } from '@draftshelf/core/push/push-run';
import { readPriceQuestions } from '@draftshelf/core/review/price-question';
import { readShownNames } from '@draftshelf/core/suppliers/suppliers';
import { readAutoRetries } from '@draftshelf/core/work/auto-retries';
import { isRereading } from '@draftshelf/core/work/reread-rollback';
import { readFileDialects } from '@draftshelf/core/work/runs';
import { importProgress } from '@draftshelf/domain/imports/progress';
import { findHeldSentence } from '@draftshelf/domain/push/auto-push';
import { fieldMappingOf } from '@draftshelf/domain/reading/mapping/header-mapping';
import { draftsAdminUrl } from '@draftshelf/shopify/client';
import { createWireMapper } from '../http/wire-fields.ts';

const unreadable =
  'This import can’t be shown, because part of its data is damaged. Your file is kept. Upload it again to continue.';

type BesideJobs = Awaited<ReturnType<typeof readJobExtras>>;

/** Reads the data that jobs show in addition to their imports' records. */
export async function readJobExtras(db: Db, records: readonly ImportRecord[]) {
  const ids = records.map(({ id }) => id);
  const same = records.flatMap(({ same_as }) => same_as ?? []);
  return {
    readings: await readFileDialects(db, ids),
    questions: await readPriceQuestions(db, records),
    asking: await findRecipeQuestions(db, records),
    retries: await readAutoRetries(db, records),
    earlier: await findExistingImports(db, same),
    suppliers: await readShownNames(db, records),
    draftsUrls: await readDraftsUrls(db, records),
  };
}

/** Converts an import to a job. Marks a damaged import as unreadable, because screens refuse a list with bad jobs. */
export function toJob(record: ImportRecord, beside: Partial<BesideJobs>): Job {
  try {
    return Job.parse(jobOf(record, beside));
  } catch {
    return { ...jobOf(record, {}), isUnreadable: true, errorMessage: unreadable };
  }
}

const jobFields = createWireMapper(Job);

function jobOf(record: ImportRecord, beside: Partial<BesideJobs>): Job {
  const { id, same_as } = record;
  const { current, latest } = beside.readings?.get(id) ?? {};
  const retries = beside.retries?.get(id);
  const progress = importProgress(record);
  const { created, updated, unchanged, skipped, failed } = record;
  return {
    ...jobFields(record),
    fileSize: record.file_bytes,
    sourceRef: record.source_path,
    supplier: beside.suppliers?.get(record.supplier ?? 0) ?? null,
    isUndoing: record.undoes_run !== null && record.undoes_run !== record.push_run,
    changesGone: record.undoes_run === record.push_run,
    progress,
    progressPercentage: progress,
    // Until the run is finalized, products whose rows are not adjacent are counted more than once.
    processedProducts: Math.min(record.processed_products, record.total_products),
    createdProducts: created + updated + unchanged,
    outcomes: { created, updated, unchanged, skipped, failed },
    draftsUrl: beside.draftsUrls?.get(id) ?? null,
    pace: null,
    fieldMapping: current ? fieldMappingOf(current.mapping) : {},
    dialect: current?.dialect ?? null,
    rereading: (isRereading(record) && latest) || null,
    // Null if the earlier import was deleted.
    sameAs: same_as !== null && beside.earlier?.has(same_as) ? same_as : null,
    isUnreadable: false,
    otherCurrency: beside.questions?.get(id) ?? null,
    columnQuestions: current?.mapping.questions?.length ?? 0,
    asksRecipes: beside.asking?.has(id) ?? false,
    autoHeld: findHeldSentence(record),
    nextRetryAt: retries?.nextRetryAt?.toISOString() ?? null,
    autoRetries: retries?.autoRetries ?? 0,
    isBeingDeleted: record.deletion_began_at !== null,
  };
}

/** Returns, by import, the URL at which the store's admin lists the drafts of the import's last push. */
export async function readDraftsUrls(
  db: Db,
  records: readonly Pick<ImportRecord, 'id' | 'created' | 'completed_at'>[],
): Promise<Map<string, string>> {
  // No URL during a push, when `completed_at` is null.
  const ends = new Map(
    records.flatMap(({ id, created, completed_at }) =>
      created > 0 && completed_at !== null ? [[id, completed_at] as const] : [],
    ),
  );
  const pushes = ends.size === 0 ? [] : await listDraftPushes(db, [...ends.keys()]);
  return new Map(
    pushes.flatMap(({ id, storeUrl, from, to }) => {
      const end = to ?? ends.get(id);
      return end === undefined ? [] : [[id, draftsAdminUrl(storeUrl, from, end)] as const];
    }),
  );
}
