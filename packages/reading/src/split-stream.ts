import { type BoundedRow, type ChunkBounds, chunker } from '@draftshelf/csv/chunking/chunk-bounds';
import type { Dialect, DialectOverrides } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import type { CsvRecord } from '@draftshelf/csv/scan/record';
import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import { grouper, groupingOf } from '@draftshelf/domain/grouping';
import { type HeaderMapping, mapHeaders } from '@draftshelf/domain/header-mapping';

/** Test mode reads this many data rows. */
const testRowsMax = 3;

/** Rows from the first one on, split into chunks. */
export type Extent = { cuts: ChunkBounds[]; rows: number; products: number };

/** What one pass over a file finds. */
export type SplitFile = {
  dialect: Dialect;
  headers: string[];
  mapping: HeaderMapping;
  whole: Extent;
  /** The first `testRowsMax` rows: whether the import is a test may only be known after the file has streamed by. */
  test: Extent;
};

export type StreamSplitter = {
  /** Takes the next bytes. Throws ReadLimitError and NotCsvError. */
  push(piece: Uint8Array): void;
  /** Ends the file. Returns undefined when it has no header. Throws as `push` does. */
  end(): SplitFile | undefined;
};

/**
 * Splits a file as it streams by: finds its dialect, header mapping, groups and chunk bounds, with the reader that the
 * workers use. Holds the head (256 KiB) until the dialect is detected, and after that one piece and one record.
 * `overrides`: what the operator set; the rest is detected.
 */
export function splitStream({
  limits,
  overrides,
}: {
  limits: ReadLimits;
  overrides?: { dialect?: DialectOverrides };
}): StreamSplitter {
  let header: { headers: string[]; mapping: HeaderMapping; groups: RecordGrouper } | undefined;
  const whole = chunkCollector();
  const firstRows: BoundedRow[] = [];
  const reading = readFile({
    limits,
    dialect: overrides?.dialect,
    onHeader(headers) {
      const mapping = mapHeaders(headers);
      header = { headers, mapping, groups: recordGrouper(mapping) };
    },
    onRow({ row, record, ignored }) {
      // An ignored line belongs to no product: it stays with the rows before it.
      const startsProduct = ignored === null && header?.groups.startsProduct(record) === true;
      const { line, byteFrom, byteTo } = record;
      const bounded = { row, line, byteFrom, byteTo, startsProduct, ignored: ignored !== null };
      if (whole.add(bounded)) header?.groups.restart(ignored === null ? record : null);
      if (firstRows.length < testRowsMax) firstRows.push(bounded);
    },
  });
  return {
    push: (piece) => reading.push(piece),
    end() {
      reading.end();
      if (!header || !reading.dialect) return undefined;
      const test = chunkCollector();
      for (const row of firstRows) test.add(row);
      const { headers, mapping } = header;
      return { dialect: reading.dialect, headers, mapping, whole: whole.end(), test: test.end() };
    },
  };
}

function chunkCollector(): { add(row: BoundedRow): boolean; end(): Extent } {
  const cuts: ChunkBounds[] = [];
  const { add, end, totals } = chunker({ onChunk: (chunk) => cuts.push(chunk) });
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
  /** Call it when a chunk begins in the middle of a product, with this record or with an ignored one (null). */
  restart(record: CsvRecord | null): void;
};

/**
 * Groups records, and decodes only the cells that grouping needs: a title only when there is no key, a SKU only when
 * rows may name it as their parent.
 */
function recordGrouper(mapping: HeaderMapping): RecordGrouper {
  const grouping = groupingOf(mapping);
  if (grouping.kind === 'none') return { startsProduct: () => true, restart: () => {} };
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
    restart(record) {
      groups = grouper(grouping);
      if (record) startsProduct(record);
    },
  };
}
