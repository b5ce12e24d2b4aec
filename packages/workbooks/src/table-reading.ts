import type { TableNotices } from '@draftshelf/domain/reading/file-tables';

/** The text of a table, in pieces. */
export type TableText = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;

export type ReadOptions = {
  /** Bytes after which reading may stop, at the end of a line. */
  headBytes?: number | undefined;
  /** Receives notices for the operator after the last piece. */
  onNotices?: (notices: TableNotices) => void;
};

export const noNotices = { hiddenRows: 0, hiddenColumns: 0, errorCells: 0, formulasWithoutValue: 0 };

/** Yields the bytes of a file in an archive unchanged, until at least `headBytes` bytes have been read. */
export async function* limitToHead(
  chunks: AsyncIterable<Uint8Array>,
  { headBytes = Number.POSITIVE_INFINITY }: ReadOptions = {},
): TableText {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk as Uint8Array<ArrayBuffer>;
    bytes += chunk.length;
    if (bytes >= headBytes) return;
  }
}
