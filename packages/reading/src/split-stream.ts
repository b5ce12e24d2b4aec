import { type BoundedRow, type ChunkBounds, chunker } from '@draftshelf/csv/chunking/chunk-bounds';
import type { Dialect } from '@draftshelf/csv/dialect';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { productJoiner } from './product-joiner.ts';
import { boundedRow, type ProductTotals, type ReadProductsOptions, readProducts } from './read-products.ts';
import type { GroupedRecord } from './record-grouper.ts';

export const testRowsMax = 3;

export type Extent = Omit<ProductTotals, 'exact'> & { cuts: ChunkBounds[] };

/** The facts needed to read some rows of a file alone. */
export type FileHeader = { dialect: Dialect; headers: string[]; mapping: HeaderMapping };

export type SplitFile = FileHeader & {
  whole: Extent;
  /** The first `testRowsMax` rows, because the switch for a test may follow the file. */
  test: Extent;
};

export type StreamSplitter = {
  /** Takes the next bytes. Throws ReadLimitError and NotCsvError. */
  push(piece: Uint8Array): void;
  /** Ends the file. Returns undefined when it has no header. Throws as `push` does. */
  end(): SplitFile | undefined;
};

/**
 * Decodes only the cells that grouping needs, with the reader that the workers use. Holds the head (256 KiB) until the
 * dialect is detected, and after that one piece and one record.
 */
export function splitStream(
  options: Pick<ReadProductsOptions, 'limits' | 'overrides' | 'table' | 'chunkRowsMax'>,
): StreamSplitter {
  let headers: string[] | undefined;
  const cuts: ChunkBounds[] = [];
  const firstRows: FirstRow[] = [];
  const reading = readProducts({
    ...options,
    onHeader(header) {
      headers = header.headers;
    },
    onRow(row, grouped) {
      if (firstRows.length < testRowsMax) {
        firstRows.push({ bounds: boundedRow(row, grouped), group: grouped.group });
      }
    },
    onChunk: (bounds) => cuts.push(bounds),
  });
  return {
    push: (piece) => reading.push(piece),
    end() {
      reading.end();
      const { dialect } = reading;
      const mapping = reading.mapping();
      if (!headers || !mapping || !dialect) return undefined;
      const { exact: _, ...totals } = reading.totals();
      return { dialect, headers, mapping, whole: { cuts, ...totals }, test: firstExtent(firstRows) };
    },
  };
}

type FirstRow = { bounds: BoundedRow; group: GroupedRecord['group'] };

function firstExtent(rows: readonly FirstRow[]): Extent {
  const cuts: ChunkBounds[] = [];
  const joiner = productJoiner();
  const { add, end, totals } = chunker({ onChunk: (bounds) => cuts.push(bounds) });
  for (const { bounds, group } of rows) {
    add(bounds);
    if (group) joiner.next(group);
  }
  end();
  const read = totals();
  return { cuts, rows: read.rows, products: joiner.products, productNumbers: read.products };
}
