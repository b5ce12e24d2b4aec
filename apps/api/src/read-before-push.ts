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
import { type PushCounts, pushFacts, pushScope } from '@draftshelf/domain/before-push';
import { canonicalFields, fieldSpecs } from '@draftshelf/domain/canonical-fields';
import { columnsThatMayHold } from '@draftshelf/domain/column-details';
import { groupingOf } from '@draftshelf/domain/grouping';
import { canDo } from '@draftshelf/domain/import-status';
import type { HeaderMapping } from '@draftshelf/domain/mapping/header-mapping';
import type { TaskKind } from '@draftshelf/domain/task-catalog';
import { countSentAnyway } from './parent-rows.ts';
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
  const counts = await readCounts(db, record, details);
  const { created, updated, unchanged } = record;
  const isGrouped = details.mapping !== undefined && groupingOf(details.mapping).kind === 'rows';
  const scope = pushScope({
    products: record.total_products,
    validProducts: record.valid_products,
    refused: counts.refused,
    sentAnyway: isGrouped ? await countSentAnyway(db, record, details.facets) : 0,
    isPushed: created + updated + unchanged > 0,
  });
  const facts = pushFacts(counts).map((fact) => ({ ...fact, columns: fact.columns && [...fact.columns] }));
  return { facts, scope };
}

async function readCounts(db: Db, record: ImportRecord, details: Details): Promise<PushCounts> {
  const { job, facets, tasks, enrichment, mapping } = details;
  const of = currentRows(record);
  const isOpen = (kind: TaskKind) => tasks.find(({ task, state }) => task === kind && state !== 'dead');
  const rules = isOpen('apply-rules');
  const asks = isOpen('ask-ai') && (await countAsks(db, record.id));
  return {
    isReviewed: canDo('review', record.status),
    products: record.total_products,
    rows: toFacets(facets).issues,
    // The question is one of the first push: the store that amounts were sent to is known since.
    currency: record.shop === null ? job.otherCurrency : null,
    missing: await readMissing(db, record, mapping),
    refused: await countRefused(db, of, facets),
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
