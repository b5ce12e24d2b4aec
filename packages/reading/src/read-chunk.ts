import type { ChunkBounds } from '@draftshelf/csv/chunking/chunk-bounds';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { placeOf } from '@draftshelf/csv/place';
import { type DataRow, findReadingIssues, readRows } from '@draftshelf/csv/read-table';
import { optionFields, type RowValues } from '@draftshelf/domain/base/canonical-fields';
import { toSearchText } from '@draftshelf/domain/base/search-text';
import { createGrouper, type GroupedRow, groupingOf } from '@draftshelf/domain/products/grouping';
import { createOptionFormatter, hasOptionValue } from '@draftshelf/domain/products/variant-options';
import { createRowFilter } from '@draftshelf/domain/reading/mapping/command-columns';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { findCellIssues } from '@draftshelf/domain/review/cell-issues';
import { isLeftOut, leftOutBit, toIssueSet } from '@draftshelf/domain/review/issue-set';
import { type RowClass, worstClass } from '@draftshelf/domain/review/row-rule';
import {
  canBeParentRow,
  type FileRules,
  markSameOptions,
  replaceParentIssues,
  rulesOf,
  type ValidatedRow,
  validateRow,
} from '@draftshelf/domain/review/validate-row';
import { type Item, itemOf } from '@draftshelf/domain/suppliers/item-hashes';
import { restoreNamedTotal } from './read-products.ts';
import type { FileHeader } from './split-stream.ts';

export type ParsedRow = ValidatedRow & {
  row: number;
  line: number;
  /** The row's place, by which edits and ids refer to the row (see `placeOf`). */
  byteFrom: number;
  /** 1-based number of the row's product in the file. 0 for an ignored row. */
  product: number;
  isFirst: boolean;
  ignored: DataRow['ignored'];
  /** Whether the row has a GTIN, by which its missing image or brand could be found. */
  enrichable: boolean;
  /** `options`: the row's options, each named as in the whole product: 'Size: S'. */
  values: RowValues;
  options: string[] | null;
  /** Key shared by all rows of a product, even if they are not adjacent. Null for a row that is a product alone. */
  groupKey: string | null;
  /** `cells`: the cells as the reader understood them. `cellsAsRead`: the file's cells if they differ, else null. */
  cells: string[];
  cellsAsRead: string[] | null;
  /** Null for an ignored row. */
  search: string | null;
  /** The row as an item, for comparison with the supplier's next list. Null if the row is ignored or has no key. */
  item: Item | null;
};

type ChunkTotals = {
  rows: number;
  products: number;
  /** Number of products by the class of their worst row. */
  classes: Record<RowClass, number>;
};

export type ChunkReading = {
  /** Returns the mapped, validated rows, read on demand. They can be iterated once. */
  rows(): Iterable<ParsedRow>;
  /** Returns the totals. Throws before the last row has been read. */
  totals(): ChunkTotals;
};

/** Bytes that are read before their rows are passed on. The database stores these rows during the next read. */
const pieceBytes = 32 * 1024;

/**
 * Reads the rows of a chunk. `currency`: the store's currency, if known. Throws at the end if the numbers of rows and
 * products differ from those counted at the upload: one of the two readings is wrong, so nothing may be stored.
 */
export function readChunk(
  bytes: Uint8Array,
  bounds: ChunkBounds,
  header: FileHeader & { currency?: string | null },
  limits: ReadLimits,
): ChunkReading {
  let totals: ChunkTotals | undefined;
  function* rows(): Generator<ParsedRow> {
    let read: ParsedRow[] = [];
    const validator = rowValidator(header, bounds.firstProduct);
    const scanner = readRows({
      dialect: header.dialect,
      limits,
      headers: header.headers,
      startByte: bounds.byteFrom,
      startLine: bounds.firstLine,
      firstRow: bounds.firstRow,
      onRow: (found) => void read.push(...validator.next(found)),
    });
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      scanner.push(bytes.subarray(from, from + pieceBytes));
      yield* read;
      read = [];
    }
    scanner.end();
    yield* read;
    yield* validator.end();
    totals = validator.totals();
    if (totals.rows !== bounds.rows || totals.products !== bounds.products) {
      throw new Error(
        `The upload counted ${bounds.rows} rows and ${bounds.products} products here, the worker found ${totals.rows} and ${totals.products}`,
      );
    }
  }
  return {
    rows,
    totals() {
      if (!totals) throw new Error('The chunk has not been read to its end');
      return totals;
    },
  };
}

function rowValidator(
  { dialect, headers, mapping, currency = null }: FileHeader & { currency?: string | null },
  firstProduct: number,
) {
  const groupOf = createGrouper(groupingOf(mapping));
  const columns = headers.length;
  const rules = { currency, ...rulesOf(mapping) };
  const counter = classCounter();
  const parents = parentRows(rules);
  const isToLeaveOut = createRowFilter(mapping.commands);
  let rows = 0;

  return {
    /** Takes the next row. Returns the rows that no further row can change. */
    next(found: DataRow): ParsedRow[] {
      const { row, record, cellsAsRead, ignored } = restoreNamedTotal(found, mapping.namedTotals);
      const cells = record.cells();
      const read = readRowValues(cells, mapping);
      const values = ignored ? {} : read;
      const group = ignored ? null : groupOf(values);
      const validated = validateRow(values, group?.inherited ?? {}, rules);
      if (group) counter.add(group, validated.class);
      const ofValues = ignored ? 0 : validated.issues + findCellIssues((column) => cells[column], mapping);
      const ofRecord = findReadingIssues(record, columns, dialect);
      const ofRow = ofRecord.length === 0 ? ofValues : toIssueSet(ofRecord) + ofValues;
      const isOut = group !== null && mapping.commands && isToLeaveOut(cells, group.startsProduct);
      const issues = isOut ? ofRow + leftOutBit : ofRow;
      rows += 1;
      const parsed: ParsedRow = {
        ...validated,
        // The values of an ignored row are only shown.
        values: read,
        options: null,
        row,
        line: record.line,
        byteFrom: placeOf(record, dialect),
        product: group ? firstProduct - 1 + counter.products : 0,
        isFirst: group?.startsProduct ?? false,
        ignored,
        enrichable: validated.gtin !== null && (values.image === undefined || values.vendor === undefined),
        groupKey: group?.groupKey ?? group?.parentKey ?? null,
        issues,
        cells,
        cellsAsRead,
        search: ignored ? null : toSearchText(values, validated.gtin),
        item: ignored
          ? null
          : itemOf(mapping.priceCurrency ? { ...values, currency: undefined } : values, validated),
      };
      return parents.next(parsed, values, group?.startsProduct ?? null);
    },
    end: parents.end,
    totals: (): ChunkTotals => ({ rows, products: counter.products, classes: counter.classes }),
  };
}

/** Counts products by the class of their worst row so far. */
function classCounter() {
  const classes: Record<RowClass, number> = { valid: 0, warning: 0, error: 0 };
  let products = 0;
  let worst: RowClass = 'valid';
  return {
    add({ startsProduct }: GroupedRow, rowClass: RowClass): void {
      if (startsProduct) products += 1;
      else classes[worst] -= 1;
      worst = startsProduct ? rowClass : worstClass(worst, rowClass);
      classes[worst] += 1;
    },
    get products() {
      return products;
    },
    classes,
  };
}

/**
 * Delays rows that later rows may change: a row that lacks a price and may be only a parent, a row with options, and
 * all rows after these. The product's last row shows whether the row is a parent or repeats options.
 */
function parentRows(rules: FileRules) {
  let held: ParsedRow[] = [];
  let product: { row: ParsedRow; values: RowValues }[] = [];
  let mayBeParent = false;
  /** The option names that occurred in the product's rows so far. */
  let names: RowValues = {};
  const end = () => {
    const [first] = held;
    const settled = held;
    const values = product.map((one) => one.values);
    const ofRows = product.map(({ row }) => row);
    markSameOptions(values, ofRows, (at) => isLeftOut(ofRows[at]?.issues ?? 0));
    const textsOf = createOptionFormatter([names, ...values]);
    for (const one of product) one.row.options = textsOf(one.values);
    if (first !== undefined && mayBeParent) first.issues = replaceParentIssues(values, first.issues);
    held = [];
    product = [];
    return settled;
  };
  return {
    /** Takes the next row. `startsProduct`: null for a row of no product. Returns the rows that cannot change later. */
    next(row: ParsedRow, values: RowValues, startsProduct: boolean | null): ParsedRow[] {
      const settled = startsProduct ? end() : [];
      if (startsProduct) names = {};
      if (startsProduct !== null) for (const { name } of optionFields) names[name] ??= values[name];
      if (held.length === 0) {
        mayBeParent = startsProduct === true && canBeParentRow(row, values, rules);
        if (!mayBeParent && !(startsProduct !== null && hasOptionValue(values))) return [...settled, row];
      }
      held.push(row);
      if (startsProduct !== null) product.push({ row, values });
      return settled;
    },
    end,
  };
}
