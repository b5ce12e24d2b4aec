import { type BoundedRow, type ChunkBounds, chunker } from '@draftshelf/csv/chunking/chunk-bounds';
import type { Dialect } from '@draftshelf/csv/dialect';
import type { HeaderMapping } from '@draftshelf/domain/mapping/header-mapping';
import { boundedRow, type ReadProductsOptions, readProducts } from './read-products.ts';

/** Test mode reads this many data rows. */
export const testRowsMax = 3;

/** Rows from the first one on, split into chunks. */
export type Extent = { cuts: ChunkBounds[]; rows: number; products: number };

/** What must be known of a file before some of its rows can be read alone. */
export type FileHeader = { dialect: Dialect; headers: string[]; mapping: HeaderMapping };

/** What one pass over a file finds. */
export type SplitFile = FileHeader & {
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
 * workers use, and decodes only the cells that grouping needs. Holds the head (256 KiB) until the dialect is detected,
 * and after that one piece and one record.
 */
export function splitStream(
  options: Pick<ReadProductsOptions, 'limits' | 'overrides' | 'chunkRowsMax'>,
): StreamSplitter {
  let header: Omit<FileHeader, 'dialect'> | undefined;
  const cuts: ChunkBounds[] = [];
  const firstRows: BoundedRow[] = [];
  const reading = readProducts({
    ...options,
    onHeader({ headers, mapping }) {
      header = { headers, mapping };
    },
    onRow(row, grouped) {
      if (firstRows.length < testRowsMax) firstRows.push(boundedRow(row, grouped));
    },
    onChunk: (bounds) => cuts.push(bounds),
  });
  return {
    push: (piece) => reading.push(piece),
    end() {
      reading.end();
      const { dialect } = reading;
      if (!header || !dialect) return undefined;
      return { dialect, ...header, whole: { cuts, ...reading.totals() }, test: extentOf(firstRows) };
    },
  };
}

function extentOf(rows: readonly BoundedRow[]): Extent {
  const cuts: ChunkBounds[] = [];
  const { add, end, totals } = chunker({ onChunk: (bounds) => cuts.push(bounds) });
  for (const row of rows) add(row);
  end();
  return { cuts, ...totals() };
}
