import type { Dialect, LineEnd } from '../dialect.ts';
import { readLimitsDefault } from '../limits.ts';
import { scan } from '../scan/scan.ts';

/** So many records are enough to judge by, and so few are too few. */
const recordsMax = 400;
const recordsWanted = 20;

/** What one way of reading makes of the head. */
export type Reading = {
  /** Cells of the first records that are not blank. */
  records: string[][];
  /** Records whose quotes do not pair up. */
  quoteIssues: number;
  /** Records by what they end with. */
  lineEnds: Record<LineEnd, number>;
};

/** Reads the first records of a head. Its last record is left out where the file goes on behind the head. */
export function readHead(head: Uint8Array, complete: boolean, dialect: Dialect): Reading {
  const reading: Reading = { records: [], quoteIssues: 0, lineEnds: { lf: 0, crlf: 0, cr: 0 } };
  const bytesMax = head.length + 1;
  const scanner = scan({
    dialect,
    // Whatever is too long here is too long for every dialect; the real reading says so.
    limits: { ...readLimitsDefault, recordBytesMax: bytesMax, columnsMax: bytesMax },
    onRecord(record) {
      reading.records.push(record.cells());
      if (record.lineEnd !== null) reading.lineEnds[record.lineEnd] += 1;
      if (record.issues.some((issue) => issue.endsWith('quote'))) reading.quoteIssues += 1;
      return reading.records.length < recordsMax ? undefined : false;
    },
  });
  scanner.push(head);
  if (complete) scanner.end();
  else if (reading.records.length < recordsWanted) {
    // A quote that never closes holds back all that follows it: read on, and leave out the broken end instead.
    scanner.end();
    if (reading.records.length > 1) reading.records.pop();
  }
  return reading;
}
