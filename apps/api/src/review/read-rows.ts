import type { JobWithRows } from '@draftshelf/contract/imports/imports';
import type { Row } from '@draftshelf/contract/review/rows';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readFoundDetails } from '@draftshelf/core/enrich/found-values';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { findUndoneEntries } from '@draftshelf/core/push/ledger';
import { readOutcomes } from '@draftshelf/core/push/outcomes';
import { readRunStores } from '@draftshelf/core/push/push-run';
import { readShopUrl } from '@draftshelf/core/push/store/shops';
import { readDuplicates } from '@draftshelf/core/review/duplicates';
import { type EffectiveRow, readFirstRows, readRowPage } from '@draftshelf/core/review/effective-rows';
import { type RowPosition, readProductTitles, readRowPositions } from '@draftshelf/core/review/product-rows';
import { readRowMatches } from '@draftshelf/core/review/row-matches';
import { readProductsOfRows } from '@draftshelf/core/scanner/added-rows';
import { readListedRows } from '@draftshelf/core/suppliers/listed-rows';
import { findListOfImport } from '@draftshelf/core/suppliers/lists';
import { currentRows, readParseRun, type SplitParseRun } from '@draftshelf/core/work/runs';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { groupingOf } from '@draftshelf/domain/products/grouping';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { createCellNamer, processedKeyOf, toProcessedRow } from '@draftshelf/domain/reading/row-keys';
import { isDuplicate, issuesIn } from '@draftshelf/domain/review/issue-set';
import { itemPriceText } from '@draftshelf/domain/suppliers/item-hashes';
import { decodeChanges } from '@draftshelf/domain/suppliers/list';
import { createProductUrl } from '../access/store-connection.ts';
import { readCarriedRows } from '../suppliers/read-carried.ts';
import { readImageStates } from './image-states.ts';
import { readParentRows, readRowsWithSameOptions } from './parent-rows.ts';

/** The hosts that pictures may be on. An empty list allows any host. */
export type PictureHosts = { imageHosts: readonly string[] };

/** Reads the data that rows show in addition to their values. */
export async function readRowExtras(
  db: Db,
  record: ImportRecord,
  rows: readonly EffectiveRow[],
  { imageHosts }: PictureHosts,
  { mapping, currency, isPartial }: SplitParseRun,
) {
  const of = currentRows(record);
  const numbers = rows.map((row) => row.row);
  const isGrouped = isPartial || groupingOf(mapping).kind === 'rows';
  const places = isGrouped ? await readRowPositions(db, of, rows) : new Map<number, RowPosition>();
  const begun = begunBefore(rows, places);
  const outcomes = await readOutcomes(db, of, [...new Set(rows.map((row) => row.product))]);
  const without = rows.flatMap(({ product }) => (outcomes.has(product) ? [] : [product]));
  const duplicates = rows.flatMap(({ row, issues }) => (isDuplicate(issues) ? [row] : []));
  const isMarked = ({ issues }: EffectiveRow) => issuesIn(issues).includes('in-other-import');
  const marked = rows.filter(isMarked).map(({ row }) => row);
  const added = rows.filter(({ line }) => line === 0).map((row) => row.byte_from);
  return {
    mapping,
    currency,
    places,
    begun,
    titles: await readProductTitles(db, of, [...new Set(begun.values())]),
    outcomes,
    stores: outcomes.size > 0 ? await readRunStores(db, record.id) : undefined,
    undone: await readUndone(db, record, without),
    findings: Map.groupBy(await readDuplicates(db, of, duplicates), (finding) => finding.row),
    found: Map.groupBy(await readFoundDetails(db, of, numbers), (value) => value.row),
    matches: new Map((await readRowMatches(db, of, marked)).map((match) => [match.row, match])),
    scanned: added.length > 0 ? await readProductsOfRows(db, record.id, added) : undefined,
    parents: await readParentRows(db, { of, rows, places }),
    carried: await readCarriedRows(db, record, rows),
    sameOptions: await readRowsWithSameOptions(db, { of, rows, places }),
    listed: await readListed(db, record, numbers),
    imageOf: await readImageStates(db, record, rows, imageHosts),
  };
}

export type RowExtras = Awaited<ReturnType<typeof readRowExtras>>;

function begunBefore(rows: readonly EffectiveRow[], places: ReadonlyMap<number, RowPosition>) {
  const begun = new Set(rows.filter(({ row }) => places.get(row)?.place === 1).map(({ product }) => product));
  const before = rows.filter(({ row, product }) => places.has(row) && !begun.has(product));
  return new Map(before.map(({ row, product }) => [row, product]));
}

async function readListed(
  db: Db,
  record: ImportRecord,
  numbers: readonly number[],
): Promise<Map<number, NonNullable<Row['listed']>>> {
  const list = record.supplier === null ? undefined : await findListOfImport(db, record.id);
  if (!list || list.compared_with === null) return new Map();
  const rows = await readListedRows(db, record, list, numbers);
  return new Map(
    rows.map(({ row, change, price, quantity }) => [
      row,
      { changes: decodeChanges(change), priceBefore: itemPriceText(price), quantityBefore: quantity },
    ]),
  );
}

/** Reads an undo's effects on products that have had no new outcome since the undo. */
async function readUndone(
  db: Db,
  record: ImportRecord,
  products: readonly number[],
): Promise<Map<number, NonNullable<Row['undone']>>> {
  if (record.shop === null || products.length === 0) return new Map();
  const { shop, id: importId } = record;
  const firstRows = [...(await readFirstRows(db, currentRows(record), [...new Set(products)])).values()];
  const ourIds = new Map(firstRows.map((row) => [row.product, deriveOurId(record, row)]));
  const entries = await findUndoneEntries(db, { shop, importId }, [...ourIds.values()]);
  const url = entries.size > 0 ? await readShopUrl(db, shop) : null;
  const undone = new Map<number, NonNullable<Row['undone']>>();
  for (const [product, ourId] of ourIds) {
    const entry = entries.get(ourId);
    if (!entry) continue;
    const storeId = entry.effect === 'deleted' ? null : entry.store_product_id;
    undone.set(product, { effect: entry.effect, storeUrl: createProductUrl(url ?? undefined, storeId) });
  }
  return undone;
}

/** Maximum number of rows in csvData and in processedData. */
const wholeRowsMax = 1000;
/** Maximum size of csvData and of processedData as JSON with keys, because a reply is built in memory. */
const wholeJsonBytesMax = 2 * 1024 * 1024;

/** The first page is small, because pages are held in memory and a row may have a megabyte. */
const firstPageRows = 8;
const pageRowsMax = 128;
/** Maximum number of cells in a page. 128 rows with 2,000 columns took 110 MB; with this limit they take 80 MB. */
const pageCellsMax = 20_000;

function limitedRecords() {
  const records: Record<string, string>[] = [];
  let bytes = '[]'.length;
  return {
    records,
    isFull: () => bytes > wholeJsonBytesMax || records.length === wholeRowsMax,
    add(record: Record<string, string>) {
      bytes += Buffer.byteLength(JSON.stringify(record)) + ','.length;
      if (bytes <= wholeJsonBytesMax) records.push(record);
    },
  };
}

export async function readAllRows(
  db: Db,
  record: ImportRecord,
): Promise<Required<Pick<JobWithRows, 'csvData' | 'processedData'>>> {
  const { headers, mapping } = await readParseRun(db, currentRows(record));
  const namesOf = createCellNamer(headers);
  const [csv, processed] = [limitedRecords(), limitedRecords()];
  let after = 0;
  for (
    let limit = firstPageRows;
    !csv.isFull() || !processed.isFull();
    limit = Math.min(limit * 2, pageRowsMax, Math.ceil(pageCellsMax / headers.length))
  ) {
    const rows = await readRowPage(db, currentRows(record), { after, limit });
    for (const row of rows) {
      if (!csv.isFull()) csv.add(shownCells(namesOf(row.cells.length), mapping, row));
      if (!processed.isFull()) processed.add(toProcessedRow(row.values));
      after = row.row;
    }
    if (rows.length < limit) break;
  }
  return { csvData: csv.records, processedData: processed.records };
}

/** Returns cells by column name. An edit replaces its field's cell or, if no column has the field, is added by key. */
function shownCells(names: readonly string[], mapping: HeaderMapping, row: EffectiveRow) {
  // A Map, because a column may be named '__proto__', which an object would lose.
  const cells = new Map(names.map((name, at) => [name, row.cells[at] ?? '']));
  for (const [field, source] of Object.entries(row.sources) as [CanonicalField, string][]) {
    if (source !== 'edit') continue;
    const header = mapping.columns[mapping.sources[field]?.[0] ?? -1]?.header;
    cells.set(header ?? processedKeyOf(field), row.values[field] ?? '');
  }
  return Object.fromEntries(cells);
}
