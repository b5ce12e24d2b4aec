import { type BoundedRow, type ChunkBounds, chunker } from '@draftshelf/csv/chunking/chunk-bounds';
import type { Dialect, DialectOverrides } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import type { CsvRecord } from '@draftshelf/csv/scan/record';
import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import { grouper, groupingOf } from '@draftshelf/domain/grouping';
import { type HeaderMapping, mapHeaders } from '@draftshelf/domain/header-mapping';

/** Test mode takes so many data rows (product-spec section 4, decision D16). */
const testRowsMax = 3;

/** A run of rows from the first one on, cut into chunks. */
export type Extent = { cuts: ChunkBounds[]; rows: number; products: number };

/** What one pass over a file tells. */
export type SplitFile = {
  dialect: Dialect;
  headers: string[];
  mapping: HeaderMapping;
  whole: Extent;
  /** The first `testRowsMax` rows: whether it is a test may only be known after the file has passed. */
  test: Extent;
};

export type StreamSplitter = {
  /** Takes the next bytes. Throws ReadLimitError, and NotCsvError. */
  push(piece: Uint8Array): void;
  /** Tells that no bytes follow. Answers undefined for a file of no record. Throws as `push` does. */
  end(): SplitFile | undefined;
};

/**
 * Reads a file that streams by: dialect, header mapping, groups and cuts, by the reader that the workers use. It holds
 * the head (256 KiB) until the dialect is judged, and after that a piece and a record. `dialect`: what an
 * operator has said of how to read; the rest is judged.
 */
export function splitStream(limits: ReadLimits, dialect: DialectOverrides = {}): StreamSplitter {
  let header: { headers: string[]; mapping: HeaderMapping; groups: RecordGrouper } | undefined;
  const whole = cutting();
  const firstRows: BoundedRow[] = [];
  const reading = readFile({
    limits,
    dialect,
    onHeader(headers) {
      const mapping = mapHeaders(headers);
      header = { headers, mapping, groups: recordGrouper(mapping) };
    },
    onRow({ row, record, ignored }) {
      // A line that is ignored belongs to no product: it goes with the rows before it.
      const startsProduct = ignored === null && header?.groups.startsProduct(record) === true;
      const { line, byteFrom, byteTo } = record;
      const cutRow = { row, line, byteFrom, byteTo, startsProduct, ignored: ignored !== null };
      if (whole.add(cutRow)) header?.groups.beginAnew(ignored === null ? record : null);
      if (firstRows.length < testRowsMax) firstRows.push(cutRow);
    },
  });
  return {
    push: (piece) => reading.push(piece),
    end() {
      reading.end();
      if (!header || !reading.dialect) return undefined;
      const test = cutting();
      for (const row of firstRows) test.add(row);
      const { headers, mapping } = header;
      return { dialect: reading.dialect, headers, mapping, whole: whole.end(), test: test.end() };
    },
  };
}

function cutting(): { add(row: BoundedRow): boolean; end(): Extent } {
  const cuts: ChunkBounds[] = [];
  const { add, end, totals } = chunker({ onChunk: (cut) => cuts.push(cut) });
  return {
    add,
    end() {
      end();
      return { cuts, ...totals() };
    },
  };
}

type RecordGrouper = {
  startsProduct(record: CsvRecord): boolean;
  /** A cut begins in the midst of a product, with this record or with one that is ignored. */
  beginAnew(record: CsvRecord | null): void;
};

/**
 * Groups records by the cells that grouping asks for and decodes no others: a title only where no key is, a SKU only
 * where rows may name it as their parent.
 */
function recordGrouper(mapping: HeaderMapping): RecordGrouper {
  const grouping = groupingOf(mapping);
  if (grouping.kind === 'none') return { startsProduct: () => true, beginAnew: () => {} };
  let groups = grouper(grouping);
  const valueIn = (record: CsvRecord, field: CanonicalField): string | undefined => {
    for (const column of mapping.sources[field] ?? []) {
      const value = record.cell(column).trim();
      if (value) return value;
    }
    return undefined;
  };
  const startsProduct = (record: CsvRecord): boolean => {
    const handle = valueIn(record, 'handle');
    const parentSku = valueIn(record, 'parentSku');
    const sku = grouping.byParentSku ? valueIn(record, 'sku') : undefined;
    const title = handle || (parentSku && parentSku !== sku) ? undefined : valueIn(record, 'title');
    return groups.next({ handle, parentSku, sku, title }).startsProduct;
  };
  return {
    startsProduct,
    beginAnew(record) {
      groups = grouper(grouping);
      if (record) startsProduct(record);
    },
  };
}

/** The extent of a work chunk of the parse stage. */
export const chunkOf = (cut: ChunkBounds) => ({
  byte_from: cut.byteFrom,
  byte_to: cut.byteTo,
  first_line: cut.firstLine,
  first_row: cut.firstRow,
  rows: cut.rows,
  first_product: cut.firstProduct,
  products: cut.products,
});
