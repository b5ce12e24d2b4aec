import type { Dialect, LineEnd } from '../dialect.ts';
import { readLimitsDefault } from '../limits.ts';
import { scan } from '../scan/scan.ts';

const recordsMax = 400;
/** If the head without its last record has fewer records, an incomplete head is read to its end. */
const recordsWanted = 20;

export type Reading = {
  records: string[][];
  lines: number[];
  quoteIssues: number;
  lineEnds: Record<LineEnd, number>;
};

/** Reads the first records of a head. The last record is left out if the head is not `complete`. */
export function readHead(head: Uint8Array, complete: boolean, dialect: Dialect): Reading {
  const reading: Reading = { records: [], lines: [], quoteIssues: 0, lineEnds: { lf: 0, crlf: 0, cr: 0 } };
  const bytesMax = head.length + 1;
  const scanner = scan({
    dialect,
    // Limits do not apply here, because the full read reports a record that is too long.
    limits: { ...readLimitsDefault, recordBytesMax: bytesMax, columnsMax: bytesMax },
    onRecord(record) {
      reading.records.push(record.cells());
      reading.lines.push(record.line);
      if (record.lineEnd !== null) reading.lineEnds[record.lineEnd] += 1;
      if (record.issues.some((issue) => issue.endsWith('quote'))) reading.quoteIssues += 1;
      return reading.records.length < recordsMax ? undefined : false;
    },
  });
  scanner.push(head);
  if (complete) scanner.end();
  else if (reading.records.length < recordsWanted) {
    // A quote that never closes includes everything after it. Reads the head to its end, without the broken record.
    scanner.end();
    if (reading.records.length > 1) reading.records.pop();
  }
  return reading;
}
