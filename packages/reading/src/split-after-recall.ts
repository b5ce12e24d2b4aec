import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { headBytesMax } from '@draftshelf/csv/detect/sniff';
import { ReadLimitError } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { ReadProductsOptions } from './read-products.ts';
import { type SplitFile, type StreamSplitter, splitStream } from './split-stream.ts';

type Options = Pick<ReadProductsOptions, 'limits' | 'overrides' | 'table'> & {
  /** Returns the mapping overrides that are remembered for files with these headers. */
  recall: (headers: string[]) => Promise<MappingOverrides | undefined>;
};

/**
 * Splits a file with the mapping overrides that are remembered for its headers. Holds the first 256 KiB back until
 * `recall` has answered. Calls `recall` once, but not if the header comes after these 256 KiB. `push` and `end` reject
 * with the errors of `splitStream` and of `recall`.
 */
export function splitAfterRecall({ recall, ...options }: Options): {
  push(piece: Uint8Array): Promise<void>;
  end(): Promise<SplitFile | undefined>;
} {
  let splitter: StreamSplitter | undefined;
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  const begin = async (complete: boolean): Promise<StreamSplitter> => {
    const headers = headersIn(held, complete, options);
    const mapping = headers && (await recall(headers));
    const begun = splitStream(
      mapping ? { ...options, overrides: { ...options.overrides, mapping } } : options,
    );
    for (const piece of held.splice(0)) begun.push(piece);
    return begun;
  };
  return {
    async push(piece) {
      if (splitter) return splitter.push(piece);
      held.push(piece);
      heldBytes += piece.length;
      if (heldBytes >= headBytesMax) splitter = await begin(false);
    },
    async end() {
      splitter ??= await begin(true);
      return splitter.end();
    },
  };
}

/** Returns the headers that `splitStream` will find in the head of a file, or undefined if the head has no header. */
function headersIn(
  head: readonly Uint8Array[],
  complete: boolean,
  { limits, overrides, table }: Omit<Options, 'recall'>,
): string[] | undefined {
  let headers: string[] | undefined;
  const reading = readFile({
    limits,
    dialect: overrides?.dialect,
    table,
    onHeader(found) {
      headers = found;
    },
    onRow: () => false,
  });
  try {
    for (const piece of head) reading.push(piece);
    if (complete) reading.end();
  } catch (error) {
    // The error is ignored here, because the splitter will throw it too.
    if (!(error instanceof NotCsvError || error instanceof ReadLimitError)) throw error;
  }
  return headers;
}
