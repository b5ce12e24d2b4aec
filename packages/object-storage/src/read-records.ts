import type { Dialect } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { readRows } from '@draftshelf/csv/read-table';
import type { ObjectStorage } from './connect.ts';
import { getRange } from './objects.ts';

export type RecordPosition = { byte: number; line: number; row: number };

type StoredTable = { key: string; bytes: number; dialect: Dialect; headers: readonly string[] };

const firstBytes = 256 * 1024;

/**
 * Reads up to `max` rows from `at`, skipping repeated headers and lines of totals. `next` is null at the end. Throws
 * like getRange.
 */
export async function readRecords(
  storage: ObjectStorage,
  { key, bytes, dialect, headers }: StoredTable,
  { at, max, limits }: { at: RecordPosition; max: number; limits: ReadLimits },
): Promise<{ records: { line: number; cells: string[] }[]; next: RecordPosition | null }> {
  for (let size = firstBytes; ; size *= 4) {
    const rest = bytes - at.byte;
    const piece = await getRange(storage, key, at.byte, Buffer.alloc(Math.min(size, rest)));
    const read: (RecordPosition & { cells: string[] | null })[] = [];
    const scanner = readRows({
      ...{ dialect, limits, headers, startByte: at.byte, startLine: at.line, firstRow: at.row },
      onRow: ({ row, record, ignored }) => {
        const cells = ignored === null ? record.cells() : null;
        read.push({ byte: record.byteFrom, line: record.line, row, cells });
        return read.length <= max ? undefined : false;
      },
    });
    scanner.push(piece);
    if (size >= rest) scanner.end();
    // The offset of the next record is known only after that record has been read.
    const isLast = size >= rest && read.length <= max;
    if (!isLast && read.length < 2) continue;
    const taken = isLast ? read : read.slice(0, -1);
    const next = isLast ? undefined : read.at(-1);
    return {
      records: taken.flatMap(({ line, cells }) => (cells ? [{ line, cells }] : [])),
      next: next ? { byte: next.byte, line: next.line, row: next.row } : null,
    };
  }
}
