import type { TableNotices } from '@draftshelf/domain/reading/file-tables';

export type TableReading = {
  pieces(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Notes for the operator, complete after the last piece. */
  notices(): TableNotices;
};

/** `headBytes`: reading may stop at the end of a line after this much text. */
export type ReadOptions = { headBytes?: number };

export const noNotices = { hiddenRows: 0, hiddenColumns: 0, errorCells: 0, formulasWithoutValue: 0 };

/** Makes a reading that is opened with its first piece. */
export function readingOf(open: () => Promise<TableReading>): TableReading {
  let reading: TableReading | undefined;
  return {
    pieces: async function* () {
      reading = await open();
      yield* reading.pieces();
    },
    notices: () => reading?.notices() ?? noNotices,
  };
}

/** Reads a file in an archive unchanged. */
export function readFile(
  chunks: () => AsyncIterable<Uint8Array>,
  { headBytes = Number.POSITIVE_INFINITY }: ReadOptions = {},
): TableReading {
  return {
    pieces: async function* () {
      let bytes = 0;
      for await (const chunk of chunks()) {
        yield chunk as Uint8Array<ArrayBuffer>;
        bytes += chunk.length;
        if (bytes >= headBytes) return;
      }
    },
    notices: () => noNotices,
  };
}
