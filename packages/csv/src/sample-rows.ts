import type { Dialect } from './dialect.ts';
import { fileScanner } from './encoding/transcriber.ts';
import { ReadLimitError, type ReadLimits } from './limits.ts';
import { readTable } from './read-table.ts';

/** Enough rows to tell what a column holds. */
const sampleRowsMax = 200;

/**
 * The cells of the first rows of a file, without ignored rows, as `readTable` gives them: those that lie wholly in the
 * file's head, at most 200. `head`: the file's own bytes, even if it needs a transcript. `complete`: the head is the
 * whole file. Never throws; over a limit the sample ends.
 */
export function sampleRows(
  head: Uint8Array,
  complete: boolean,
  table: { dialect: Dialect; limits: ReadLimits },
): string[][] {
  const sample: string[][] = [];
  const rows = readTable({
    ...table,
    onHeader: () => {},
    onRow({ record, ignored }) {
      if (ignored === null) sample.push(record.cells());
      return sample.length < sampleRowsMax ? undefined : false;
    },
  });
  const scanner = fileScanner(table.dialect.encoding, rows);
  try {
    scanner.push(head);
    if (complete) scanner.end();
  } catch (error) {
    // The full read reports the limit.
    if (!(error instanceof ReadLimitError)) throw error;
  }
  return sample;
}
