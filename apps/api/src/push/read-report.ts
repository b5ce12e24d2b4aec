import { ImportReport, PushSeries } from '@draftshelf/contract/imports/report';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { groupMissedByCause, type MissedProductGroup } from '@draftshelf/core/push/missed-products';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { readPushTimeSeries } from '@draftshelf/core/push/push-series';
import { readShopUrl } from '@draftshelf/core/push/store/shops';
import { readStoreBudget } from '@draftshelf/core/push/store/store-budget';
import { findRowsOfProducts, readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { currentRows, listRunTimes, readRunTimes } from '@draftshelf/core/work/runs';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { toTimeline } from '@draftshelf/domain/imports/import-timeline';
import { nameOfRow } from '@draftshelf/domain/products/draft-product';
import { listUndoSums } from '@draftshelf/domain/push/undo-actions';
import { pointsPerProduct } from '@draftshelf/domain/work/pace';
import { createWireMapper } from '../http/wire-fields.ts';
import { readDraftsUrls } from '../imports/to-job.ts';

const reportFields = createWireMapper(ImportReport);

/** Returns an import's report. Reads the import's counters and at most 50,000 outcomes. */
export async function readReport(db: Db, record: ImportRecord): Promise<ImportReport> {
  const { created, updated, unchanged, skipped, failed } = record;
  const missed = skipped + failed;
  const causes = missed === 0 ? [] : await groupMissedByCause(db, currentRows(record));
  const covered = causes.reduce((sum, { products }) => sum + products, 0);
  const undone = await countProductsUndone(db, record);
  const decided = created + updated + unchanged + missed + undone;
  return {
    ...reportFields(record),
    isUndoing: record.undoes_run !== null && record.undoes_run !== record.push_run,
    outcomes: { created, updated, unchanged, skipped, failed },
    draftsUrl: (await readDraftsUrls(db, [record])).get(record.id) ?? null,
    products: {
      total: record.total_products,
      valid: record.valid_products,
      warning: record.warning_products,
      error: record.error_products,
    },
    undone,
    undecided: record.push_run === 0 ? 0 : Math.max(0, record.total_products - decided),
    ...(await readPeriods(db, record)),
    timeline: await readTimeline(db, record),
    causes: await withExamples(db, record, causes),
    otherCauses: Math.max(0, missed - covered),
  };
}

async function readPeriods(db: Db, record: ImportRecord): Promise<Pick<ImportReport, 'processing' | 'push'>> {
  const times = await readRunTimes(db, record);
  const [parse, enrich, push] = [times.get('parse'), times.get('enrich'), times.get('push')];
  const period = (startedAt: Date, endedAt: Date | null | undefined) => ({
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  });
  // A failed run has no end time of its own. The import's end time replaces it.
  const failedAt = record.status === 'failed' ? record.completed_at : null;
  return {
    processing: parse ? period(parse.startedAt, (enrich ? enrich.endedAt : parse.endedAt) ?? failedAt) : null,
    push: push ? period(push.startedAt, push.endedAt ?? record.completed_at) : null,
  };
}

const seriesFields = createWireMapper(PushSeries.unwrap());

/** Returns the last push's number of decided products over time, and the store's rate. Null without a push. */
export async function readImportPushSeries(db: Db, record: ImportRecord): Promise<PushSeries> {
  if (record.push_run === 0) return null;
  const series = await readPushTimeSeries(db, { import_id: record.id, run: record.push_run });
  if (series === null) return null;
  const url = record.shop === null ? null : await readShopUrl(db, record.shop);
  const budget = url === null ? null : await readStoreBudget(db, url);
  const planPerSecond = budget === null ? null : budget.restoreRate / pointsPerProduct;
  return { ...seriesFields(series), planPerSecond };
}

async function readTimeline(db: Db, record: ImportRecord): Promise<ImportReport['timeline']> {
  const runs = await listRunTimes(db, record.id);
  const timed = runs.map(({ stage, kind, started_at, ended_at }) => ({
    ...{ stage, kind, startedMs: started_at.getTime() },
    endedMs: ended_at?.getTime() ?? null,
  }));
  const spans = toTimeline(timed, {
    stoppedMs: record.completed_at?.getTime() ?? null,
    isOver: (finalStatuses as readonly string[]).includes(record.status),
  });
  return spans.map(({ kind, startedMs, endedMs }) => ({
    ...{ kind, startedAt: new Date(startedMs).toISOString() },
    endedAt: endedMs === null ? null : new Date(endedMs).toISOString(),
  }));
}

/** Adds the number and title of each example's first row. */
async function withExamples(
  db: Db,
  record: ImportRecord,
  causes: readonly MissedProductGroup[],
): Promise<ImportReport['causes']> {
  const products = [...new Set(causes.flatMap(({ examples }) => examples))].sort((a, b) => a - b);
  const found = await findRowsOfProducts(db, currentRows(record), products);
  const firstRows = new Map(found.map(({ product, rows }) => [product, rows[0]]));
  const numbers = [...firstRows.values()].filter((row) => row !== undefined);
  const rows = new Map(
    (await readRowsByNumber(db, currentRows(record), numbers)).map((row) => [row.row, row]),
  );
  return causes.map((cause) => ({
    ...cause,
    examples: cause.examples.flatMap((product) => {
      const row = rows.get(firstRows.get(product) ?? 0);
      return row === undefined ? [] : [{ product, row: row.row, title: nameOfRow(row.values) }];
    }),
  }));
}

/** Counts products that have no outcome because the last push was undone. 0 after another push or a re-read. */
export async function countProductsUndone(db: Db, record: ImportRecord): Promise<number> {
  if (record.shop === null) return 0;
  const undo = await findPreview(db, record.id, 'undo');
  if (!undo?.ended_at || undo.run !== record.push_run) return 0;
  const { created, updated, unchanged, skipped, failed } = record;
  const without = record.total_products - created - updated - unchanged - skipped - failed;
  const done = listUndoSums(undo.results).filter(({ action }) => action !== 'keep');
  return Math.max(
    0,
    Math.min(
      without,
      done.reduce((sum, { products }) => sum + products, 0),
    ),
  );
}
