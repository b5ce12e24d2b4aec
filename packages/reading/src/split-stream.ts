import { type ChunkBounds, createChunker } from '@draftshelf/csv/chunking/chunk-bounds';
import type { Dialect } from '@draftshelf/csv/dialect';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { type ProductTotals, type ReadProductsOptions, readProducts, toBoundedRow } from './read-products.ts';

export const testRowsMax = 3;

export type SplitTotals = Omit<ProductTotals, 'exact'> & { cuts: ChunkBounds[] };

/** The facts about a file that are needed to read a part of its rows. */
export type FileHeader = { dialect: Dialect; headers: string[]; mapping: HeaderMapping };

export type SplitFile = FileHeader & {
  whole: SplitTotals;
  /** The first `testRowsMax` rows. Always counted: the form field that requests a test may come after the file. */
  test: SplitTotals;
};

export type StreamSplitter = {
  /** Takes the next bytes. Throws ReadLimitError and NotCsvError. */
  push(piece: Uint8Array): void;
  /** Ends the file. Returns undefined if the file has no header. Throws as `push` does. */
  end(): SplitFile | undefined;
};

/**
 * Splits a file into chunks. Decodes only the cells that grouping needs, with the reader that the workers use. Keeps
 * 256 KiB in memory until the dialect is detected, and after that only one piece and one record.
 */
export function splitStream(
  options: Pick<ReadProductsOptions, 'limits' | 'overrides' | 'table' | 'chunkRowsMax'>,
): StreamSplitter {
  let headers: string[] | undefined;
  const cuts: ChunkBounds[] = [];
  const testCuts: ChunkBounds[] = [];
  const testChunks = createChunker({ onChunk: (bounds) => testCuts.push(bounds) });
  const testProducts = new Set<number>();
  const reading = readProducts({
    ...options,
    onHeader(header) {
      headers = header.headers;
    },
    onRow(row, { group, product }) {
      if (row.row > testRowsMax) return;
      testChunks.add(toBoundedRow(row, group));
      if (group !== null) testProducts.add(product);
    },
    onChunk: (bounds) => cuts.push(bounds),
  });
  return {
    push: (piece) => reading.push(piece),
    end() {
      reading.end();
      testChunks.end();
      const { dialect } = reading;
      const mapping = reading.mapping();
      if (!headers || !mapping || !dialect) return undefined;
      const { exact: _, ...totals } = reading.totals();
      const { rows, products: productNumbers } = testChunks.totals();
      const test = { cuts: testCuts, rows, products: testProducts.size, productNumbers };
      return { dialect, headers, mapping, whole: { cuts, ...totals }, test };
    },
  };
}
