import type { Dialect, LineEnd } from '../dialect.ts';
import { readLimitsDefault } from '../limits.ts';
import { scan } from '../scan/scan.ts';

const recordsMax = 400;
/** If an incomplete head has fewer complete records than this, its text after an unclosed quote is read as well. */
const recordsWanted = 20;

export type HeadReading = {
  records: string[][];
  lines: number[];
  quoteIssues: number;
  lineEnds: Record<LineEnd, number>;
};

/** Reads up to 400 records of a head, a file's first bytes. Drops the last record if the head is not the whole file. */
export function readHead(head: Uint8Array, complete: boolean, dialect: Dialect): HeadReading {
  const reading: HeadReading = {
    records: [],
    lines: [],
    quoteIssues: 0,
    lineEnds: { lf: 0, crlf: 0, cr: 0 },
  };
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
    // An unclosed quote keeps the scanner waiting. `end` makes it read on. The last record may be cut and is dropped.
    scanner.end();
    if (reading.records.length > 1) reading.records.pop();
  }
  return reading;
}
