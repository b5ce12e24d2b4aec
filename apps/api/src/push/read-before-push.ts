import type { PrePushFacts } from '@draftshelf/contract/imports/before-push';
import type { Job, JobWithRows } from '@draftshelf/contract/imports/imports';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, RowFacet } from '@draftshelf/core/connection/schema';
import { countAsks } from '@draftshelf/core/enrich/ai/ai-asks';
import { computeGuardFindings, type ImportListFacts, readListFacts } from '@draftshelf/core/push/list-facts';
import * as pushCounts from '@draftshelf/core/push/push-counts';
import {
  type EffectiveRow,
  findLeftOutIndexes,
  findRowsOfProducts,
  readRowsByNumber,
} from '@draftshelf/core/review/effective-rows';
import { readSampleCells } from '@draftshelf/core/review/row-samples';
import { countMatchingRows } from '@draftshelf/core/review/search/row-filter';
import { currentRows, findEndedRun } from '@draftshelf/core/work/runs';
import type { TaskRecord } from '@draftshelf/core/work/tasks';
import { type CanonicalField, canonicalFields, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { buildDraftProduct } from '@draftshelf/domain/products/draft-product';
import { groupingOf } from '@draftshelf/domain/products/grouping';
import {
  countOpenProducts,
  countPushScope,
  listFactsSincePush,
  listPushFacts,
  type PushCounts,
} from '@draftshelf/domain/push/before-push';
import { findPossibleColumns } from '@draftshelf/domain/reading/column-details';
import { describeQuestions } from '@draftshelf/domain/reading/column-questions';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { refusalOf } from '@draftshelf/domain/review/store-limits';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { countSentWithoutPrice, productRowsMax } from '../review/parent-rows.ts';
import { toFacetCounts } from '../review/to-row.ts';
import { readNextPush } from './read-plan.ts';

/** Data that the import's details have already read. */
type Details = {
  job: Job;
  facets: readonly RowFacet[];
  mapping: HeaderMapping | undefined;
  tasks: readonly TaskRecord[];
  enrichment: JobWithRows['enrichment'];
  own: ImportListFacts | null;
};

/** Returns the facts shown before a push. Null if the import may not be pushed now. Reads at most a few of its rows. */
export async function readPushFacts(
  db: Db,
  record: ImportRecord,
  details: Details,
): Promise<PrePushFacts | null> {
  if (!canDo('push', record.status)) return null;
  const { toDecide, decided, sent: planned } = await readNextPush(db, record);
  if (!canDo('review', record.status)) {
    const found = record.found_since_push;
    const facts = listFactsSincePush({ toDecide, decidedSincePush: decided, foundSincePush: found });
    return { facts, scope: null, open: 0 };
  }
  const { unsent, leftOutProblems, ...counts } = await readCounts(db, record, details);
  const { facets, mapping } = details;
  const { warning_products: warningProducts, error_products: errorProducts } = record;
  const mayBeSent = isGrouped(mapping) && warningProducts + errorProducts > 0;
  const sentAnyway = mayBeSent ? await countSentWithoutPrice(db, record, facets) : 0;
  const { total_products: products, valid_products: validProducts } = record;
  const ofImport = { products, validProducts, isPushed: isPushed(record) };
  const isHeld = counts.currency?.answer === 'hold';
  return {
    facts: listPushFacts({ ...counts, toDecide }),
    scope: countPushScope({ ...ofImport, isHeld, unsent, sentAnyway, planned }),
    open: countOpenProducts({ warningProducts, errorProducts, leftOutProblems, sentAnyway }),
  };
}

const isPushed = ({ created, updated, unchanged }: ImportRecord): boolean =>
  created + updated + unchanged > 0;

const isGrouped = (mapping: HeaderMapping | undefined): boolean =>
  mapping !== undefined && groupingOf(mapping).kind === 'rows';

/** `unsent`: valid products that are not sent. `leftOutProblems`: left-out products without title or price. */
type ImportCounts = Omit<PushCounts, 'toDecide'> & {
  unsent: number | null;
  leftOutProblems: number | null;
};

async function readCounts(db: Db, record: ImportRecord, details: Details): Promise<ImportCounts> {
  const { job, facets, tasks, enrichment, mapping, own } = details;
  const of = currentRows(record);
  const isOpen = (kind: TaskKind) => tasks.find(({ task, state }) => task === kind && state !== 'dead');
  const rules = isOpen('apply-rules');
  const pictures = isOpen('take-pictures') ?? isOpen('match-pictures');
  const guards = isOpen('check-guards');
  const asks = isOpen('ask-ai') && (await countAsks(db, record.id));
  const refused = await pushCounts.countRefused(db, of, facets);
  const ended = await findEndedRun(db, of);
  const isPartial = ended?.isPartial === true;
  const headerOf = (column: number) => mapping?.columns[column]?.header ?? '';
  const isOfRows = isPartial || isGrouped(mapping);
  const asked = fieldsToAskFor(record, { mapping, own, isPartial });
  const candidates = await findCandidates(db, record, { mapping, fields: asked });
  const unsent = await countUnsent(db, record, facets, { refused, isGrouped: isOfRows, isPartial });
  return {
    unsent: unsent.valid,
    leftOutProblems: unsent.leftOutProblems,
    leftOut: unsent.leftOut,
    products: record.total_products,
    rows: toFacetCounts(facets).issues,
    // Only before the first push, because afterwards the store that received the amounts is known.
    currency: record.shop === null ? job.otherCurrency : null,
    missing: candidates.filter(({ field }) => fieldSpecs[field].required),
    namedTotals: mapping?.namedTotals ?? [],
    noQuantities: candidates.find(({ field }) => field === 'quantity')?.columns ?? null,
    besides: record.push_run > 0 || isPartial ? [] : besidesOf(mapping),
    variantsApart: mapping?.columns[mapping.variantsApart ?? -1]?.header ?? null,
    cents: (mapping?.cents ?? []).map(headerOf),
    thousands: Object.keys(mapping?.thousands ?? {}).map((column) => headerOf(Number(column))),
    lostZeros: mapping?.lostZeros
      ? { ...mapping.lostZeros, header: headerOf(mapping.lostZeros.column) }
      : null,
    quantities: [...(mapping?.sources.quantity ?? []), ...(mapping?.otherQuantities ?? [])].map(headerOf),
    added: mapping?.quantityParts
      ? [...(mapping.sources.quantity ?? []), ...mapping.quantityParts].map(headerOf)
      : [],
    questions: mapping === undefined ? [] : describeQuestions(mapping),
    refused,
    list: await readListFacts(db, record, own),
    // Null after a push, because products that were pushed separately stay separate.
    sharedTitles: ended && record.push_run === 0 ? ended.sharedTitles : null,
    guards: ended ? computeGuardFindings(facets, { guards: ended.guards, mapping: mapping ?? null }) : [],
    checkingGuards: guards ? record.total_rows : 0,
    pictures: await pushCounts.countFailedPictures(db, of),
    others: await pushCounts.readMatchedImports(db, of, facets),
    takingPictures: pictures ? record.pictures - pictures.done : 0,
    lookingUp: Math.max(0, ...(enrichment?.waiting ?? []).map(({ products }) => products)),
    applyingRules: rules ? Math.max(0, (rules.total ?? record.total_rows) - rules.done) : 0,
    askingAi: asks ? asks.wanted + asks.asking : 0,
    // The push that ends the review applies all decisions.
    decidedSincePush: 0,
    // If nothing is pushed, for example after an undo, no product in the store can lack found values.
    foundSincePush: isPushed(record) ? record.found_since_push : 0,
  };
}

const besidesOf = (mapping: HeaderMapping | undefined): PushCounts['besides'] =>
  (mapping?.unsent ?? []).map(({ field, columns }) => ({
    field,
    sent: mapping?.columns[mapping.sources[field]?.[0] ?? -1]?.header ?? null,
    columns: columns.map((column) => mapping?.columns[column]?.header ?? ''),
  }));

/** Returns required fields without a column. Adds quantities if the file does not show whether they are tracked. */
function fieldsToAskFor(
  { push_run }: ImportRecord,
  { mapping, own, isPartial }: Pick<Details, 'mapping' | 'own'> & { isPartial: boolean },
): CanonicalField[] {
  if (mapping === undefined || isPartial) return [];
  const { sources } = mapping;
  const missing = canonicalFields.filter(
    (field) => fieldSpecs[field].required && sources[field] === undefined,
  );
  // Ask before the first push, which creates the products, and only for a supplier's first list, whose answer is kept.
  const isNew = push_run === 0 && (own?.list.number ?? 1) <= 1;
  const isTold = sources.quantity !== undefined || sources.trackQuantity !== undefined;
  return isNew && !isTold ? [...missing, 'quantity'] : missing;
}

async function findCandidates(
  db: Db,
  record: ImportRecord,
  { mapping, fields }: { mapping: HeaderMapping | undefined; fields: readonly CanonicalField[] },
): Promise<PushCounts['missing']> {
  if (mapping === undefined || fields.length === 0) return [];
  const sample = await readSampleCells(db, currentRows(record));
  return fields.map((field) => ({ field, columns: findPossibleColumns(field, mapping, sample) }));
}

/** Numbers of left-out products, of those without title or price, and of unsent valid products. Null if unknown. */
type Unsent = { leftOut: number | null; leftOutProblems: number | null; valid: number | null };

/**
 * Counts products that are left out or unsent. `refused`: valid products that the store would refuse. If rows form
 * products, all rows of the affected products are read; the counts are null if there are too many. `isPartial`: the
 * list only has prices and stock.
 */
async function countUnsent(
  db: Db,
  record: ImportRecord,
  facets: readonly RowFacet[],
  { refused, isGrouped, isPartial }: { refused: number; isGrouped: boolean; isPartial: boolean },
): Promise<Unsent> {
  const of = currentRows(record);
  const leftOut = countMatchingRows(facets, { issue: 'left-out' });
  if (leftOut === 0) return { leftOut, leftOutProblems: 0, valid: refused };
  if (!isGrouped) {
    const leftOutProblems = countMatchingRows(facets, { class: 'needs-you', issue: 'left-out' });
    return { leftOut, leftOutProblems, valid: await pushCounts.countUnsentRows(db, of) };
  }
  const unknown = { leftOut: null, leftOutProblems: null, valid: null };
  const numbers = await pushCounts.readUnsentRows(db, of);
  if (numbers === null) return unknown;
  const products = [...new Set((await readRowsByNumber(db, of, numbers)).map(({ product }) => product))];
  const all = (await findRowsOfProducts(db, of, products)).flatMap(({ rows }) => rows);
  if (all.length > productRowsMax) return unknown;
  const byProduct = Map.groupBy(await readRowsByNumber(db, of, all), ({ product }) => product);
  const ends = [...byProduct.values()].map((rows) => ({
    end: endOf(rows, isPartial),
    isValid: rows.every(isValid),
  }));
  return {
    leftOut: ends.filter(({ end }) => end === 'left-out').length,
    leftOutProblems: ends.filter(({ end, isValid }) => !isValid && end === 'left-out').length,
    valid: ends.filter(({ end, isValid }) => isValid && end !== 'sent').length,
  };
}

const isValid = ({ class: name }: EffectiveRow): boolean => name === 'valid';

function endOf(rows: readonly EffectiveRow[], isPartial: boolean): 'sent' | 'left-out' | 'refused' {
  const values = rows.map((row) => row.values);
  const options = { draftMode: true, importSource: '', currency: '', isPartial };
  const built = buildDraftProduct(values, options, findLeftOutIndexes(rows));
  if (built.ok) return refusalOf(built.product) === null ? 'sent' : 'refused';
  return built.reason === 'Left out of the push' ? 'left-out' : 'refused';
}
