import type { BeforePush } from '@draftshelf/contract/before-push';
import type { Job, JobWithRows } from '@draftshelf/contract/imports';
import { countAsks } from '@draftshelf/database/ai/ai-asks';
import { currentRows } from '@draftshelf/database/chunks/runs';
import type { TaskRecord } from '@draftshelf/database/chunks/tasks';
import type { Db } from '@draftshelf/database/connection/database';
import { countPictures, countRefused, readMatchedImports } from '@draftshelf/database/imports/push-counts';
import type { RowFacet } from '@draftshelf/database/rows/row-facets';
import { readSampleCells } from '@draftshelf/database/rows/sample-cells';
import type { ImportRecord } from '@draftshelf/database/schema';
import { type PushCounts, type PushScope, pushFacts, pushScope } from '@draftshelf/domain/before-push';
import { canonicalFields, fieldSpecs } from '@draftshelf/domain/canonical-fields';
import { columnsThatMayHold } from '@draftshelf/domain/column-details';
import { groupingOf } from '@draftshelf/domain/grouping';
import { canDo } from '@draftshelf/domain/import-status';
import type { HeaderMapping } from '@draftshelf/domain/mapping/header-mapping';
import type { TaskKind } from '@draftshelf/domain/task-catalog';
import { countUnsent } from './count-unsent.ts';
import { countSentAnyway } from './parent-rows.ts';
import { readNextPush } from './read-plan.ts';
import { toFacets } from './to-facets.ts';

/** What is read of an import for its details anyway. */
type Details = {
  job: Job;
  facets: readonly RowFacet[];
  mapping: HeaderMapping | undefined;
  tasks: readonly TaskRecord[];
  enrichment: JobWithRows['enrichment'];
};

/** What to know before an import is pushed; null while it may not be. Reads a few of its rows at most. */
export async function readBeforePush(
  db: Db,
  record: ImportRecord,
  details: Details,
): Promise<BeforePush | null> {
  if (!canDo('push', record.status)) return null;
  const { toDecide, sent: planned } = await readNextPush(db, record);
  if (!canDo('review', record.status)) {
    return toBeforePush({ ...noCounts, toDecide, foundSincePush: record.found_since_push }, null);
  }
  const { unsent, ...counts } = await readCounts(db, record, details);
  const scope = await readScope(db, record, { ...counts, unsent, planned }, details);
  return toBeforePush({ ...counts, toDecide }, scope);
}

const toBeforePush = (counts: PushCounts, scope: PushScope | null): BeforePush => ({
  facts: pushFacts(counts).map((fact) => ({ ...fact, columns: fact.columns && [...fact.columns] })),
  scope,
});

async function readScope(
  db: Db,
  record: ImportRecord,
  { unsent, currency, planned }: ImportCounts & { planned: number | null },
  { mapping, facets }: Details,
): Promise<PushScope | null> {
  const { created, updated, unchanged } = record;
  const isPushed = created + updated + unchanged > 0;
  const sentAnyway = isGrouped(mapping) && !isPushed ? await countSentAnyway(db, record, facets) : 0;
  const { total_products: products, valid_products: validProducts } = record;
  const isHeld = currency?.answer === 'hold';
  return pushScope({ products, validProducts, unsent, sentAnyway, isHeld, isPushed, planned });
}

const isGrouped = (mapping: HeaderMapping | undefined): boolean =>
  mapping !== undefined && groupingOf(mapping).kind === 'rows';

/** Of an import whose push has ended. */
const noCounts: PushCounts = {
  ...{ isReviewed: false, products: 0, rows: {}, currency: null, missing: [], refused: 0, others: [] },
  ...{ leftOut: 0, toDecide: 0 },
  ...{ pictures: { shown: 0, failed: 0, reason: null }, lookingUp: 0, applyingRules: 0, askingAi: 0 },
  foundSincePush: 0,
};

/** `unsent`: valid products that are not sent; null: not known. */
type ImportCounts = Omit<PushCounts, 'toDecide'> & { unsent: number | null };

async function readCounts(db: Db, record: ImportRecord, details: Details): Promise<ImportCounts> {
  const { job, facets, tasks, enrichment, mapping } = details;
  const of = currentRows(record);
  const isOpen = (kind: TaskKind) => tasks.find(({ task, state }) => task === kind && state !== 'dead');
  const rules = isOpen('apply-rules');
  const asks = isOpen('ask-ai') && (await countAsks(db, record.id));
  const refused = await countRefused(db, of, facets);
  const unsent = await countUnsent(db, record, facets, { refused, isGrouped: isGrouped(mapping) });
  return {
    isReviewed: true,
    unsent: unsent.valid,
    leftOut: unsent.leftOut,
    products: record.total_products,
    rows: toFacets(facets).issues,
    // The question is one of the first push: the store that amounts were sent to is known since.
    currency: record.shop === null ? job.otherCurrency : null,
    missing: await readMissing(db, record, mapping),
    refused,
    pictures: await countPictures(db, of),
    others: await readMatchedImports(db, of, facets),
    lookingUp: Math.max(0, ...(enrichment?.waiting ?? []).map(({ products }) => products)),
    applyingRules: rules ? Math.max(0, (rules.total ?? record.total_rows) - rules.done) : 0,
    askingAi: asks ? asks.wanted + asks.asking : 0,
    foundSincePush: record.found_since_push,
  };
}

/** The required fields without a column, and the columns that may hold them. */
async function readMissing(
  db: Db,
  record: ImportRecord,
  mapping: HeaderMapping | undefined,
): Promise<PushCounts['missing']> {
  if (mapping === undefined) return [];
  const missing = canonicalFields.filter(
    (field) => fieldSpecs[field].required && mapping.sources[field] === undefined,
  );
  if (missing.length === 0) return [];
  const sample = await readSampleCells(db, currentRows(record));
  return missing.map((field) => ({ field, columns: columnsThatMayHold(field, mapping, sample) }));
}
