export type TableNotices = {
  hiddenRows: number;
  hiddenColumns: number;
  errorCells: number;
  formulasWithoutValue: number;
  /** One row came so often, one after the other, that the rows behind were not read. */
  endedAtRepeats?: true;
};

export type TableReading = {
  /** The bytes of the table, in pieces of about 128 KiB. */
  pieces(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** What the operator should know about the table. Complete after the last piece. */
  notices(): TableNotices;
};

/** `headBytes`: reading may stop at the end of a line after this much text. */
export type ReadOptions = { headBytes?: number };

export const noNotices: TableNotices = {
  hiddenRows: 0,
  hiddenColumns: 0,
  errorCells: 0,
  formulasWithoutValue: 0,
};

/** A reading that is opened with its first piece. */
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

/** A file in an archive, as it is. */
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
