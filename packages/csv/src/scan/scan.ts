import { type Dialect, isSheet } from '../dialect.ts';
import type { Encoding } from '../encoding/encodings.ts';
import { ReadLimitError, type ReadLimits } from '../limits.ts';
import { CellFinder, moreBytesCode, overLimitCodes } from './cell-finder.ts';
import { type CsvRecord, ScannedRecord } from './record.ts';

export type Scanner = {
  /** The caller may reuse the piece afterwards. Throws ReadLimitError. */
  push(piece: Uint8Array): void;
  end(): void;
};

export type RecordScanner = Scanner & {
  readonly stopped: boolean;
  /** Changes the encoding. The bytes so far must be the same text in both encodings. */
  readAs(encoding: Encoding): void;
};

/** False stops the scan. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement must fit.
export type ScanDecision = void | false;

export type ScanOptions = {
  dialect: Dialect;
  limits: ReadLimits;
  /** File offset of the first pushed byte, where a record must begin. Absent: 0. */
  startByte?: number;
  startLine?: number;
  /** Called for each record that is not blank. The record object is reused, so copy the values to keep. */
  onRecord: (record: CsvRecord) => ScanDecision;
  /** Called for blank records, with the ordinal of the next non-blank record. */
  onBlank?: (record: CsvRecord) => void;
};

/**
 * Reads bytes into records, in pieces of any size. Holds one record and the last piece in memory. A malformed record
 * has issues, but does not end the scan. A limit ends the scan with ReadLimitError.
 */
export function scan(options: ScanOptions): RecordScanner {
  return new ByteScanner(options);
}

class ByteScanner implements RecordScanner {
  stopped = false;

  readonly #options: ScanOptions;
  readonly #finder: CellFinder;
  readonly #record: ScannedRecord;
  readonly #countsRecords: boolean;
  #markBytes: number;
  #carry: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #held = 0;
  /** Length at which the held bytes are scanned again. It doubles, so that many tiny pieces take linear time. */
  #scanAgainAt = 0;
  #baseByte: number;
  #line: number;
  #ordinal = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#finder = new CellFinder(options.dialect, options.limits);
    this.#record = new ScannedRecord(this.#finder, options.dialect);
    this.#countsRecords = isSheet(options.dialect);
    this.#baseByte = options.startByte ?? 0;
    this.#line = options.startLine ?? 1;
    this.#markBytes = this.#baseByte === 0 ? options.dialect.bomBytes : 0;
  }

  push(piece: Uint8Array): void {
    if (this.stopped) return;
    const rest = this.#markBytes > 0 ? this.#skipMark(piece) : piece;
    if (this.#held === 0) {
      this.#append(rest.subarray(this.#read(rest, rest.length, false)));
    } else {
      this.#append(rest);
      if (this.#held < this.#scanAgainAt) return;
      const read = this.#read(this.#carry, this.#held, false);
      this.#carry.copyWithin(0, read, this.#held);
      this.#held -= read;
    }
    this.#planNextScan();
  }

  readAs(encoding: Encoding): void {
    this.#record.setEncoding(encoding);
  }

  end(): void {
    if (this.stopped) return;
    this.#read(this.#carry, this.#held, true);
    this.#held = 0;
  }

  #skipMark(piece: Uint8Array): Uint8Array {
    const skipped = Math.min(this.#markBytes, piece.length);
    this.#markBytes -= skipped;
    this.#baseByte += skipped;
    return piece.subarray(skipped);
  }

  #read(bytes: Uint8Array, end: number, final: boolean): number {
    const finder = this.#finder;
    this.#record.setBytes(bytes, end);
    const skipsBlank = this.#options.onBlank === undefined;
    let at = 0;
    while (at < end && !this.stopped) {
      if (skipsBlank && bytes[at] === 10) {
        // A fast path, because some files have millions of empty lines.
        this.#line += 1;
        at += 1;
        continue;
      }
      const next = finder.find(bytes, at, end, final);
      if (next < 0) {
        if (next === moreBytesCode) break;
        this.#throwLimit(next);
      }
      this.#record.setRecord(at, next, this.#baseByte, this.#line, this.#ordinal);
      if (isBlank(bytes, finder)) {
        this.#options.onBlank?.(this.#record);
      } else {
        this.#ordinal += 1;
        if (this.#options.onRecord(this.#record) === false) this.stopped = true;
      }
      this.#line += this.#countsRecords ? 1 : 1 + finder.innerLineEnds;
      at = next;
    }
    this.#baseByte += at;
    return at;
  }

  #throwLimit(found: number): never {
    this.stopped = true;
    const limit = limits.find((name) => overLimitCodes[name] === found) ?? 'recordBytesMax';
    throw new ReadLimitError(limit, this.#options.limits[limit] ?? 0, this.#line);
  }

  #planNextScan(): void {
    // One byte above the limit is enough to refuse a record, so the scan does not wait for more.
    this.#scanAgainAt = Math.min(this.#held * 2, this.#options.limits.recordBytesMax + 1);
    if (this.#scanAgainAt <= this.#held) this.#scanAgainAt = this.#held + 1;
  }

  #append(piece: Uint8Array): void {
    const held = this.#held + piece.length;
    if (held > this.#carry.length) {
      const grown = Math.min(this.#carry.length * 2, this.#options.limits.recordBytesMax);
      const carry = new Uint8Array(Math.max(held, grown, 4096));
      carry.set(this.#carry.subarray(0, this.#held));
      this.#carry = carry;
    }
    this.#carry.set(piece, this.#held);
    this.#held = held;
  }
}

const limits = Object.keys(overLimitCodes) as (keyof typeof overLimitCodes)[];

function isBlank(bytes: Uint8Array, finder: CellFinder): boolean {
  const { cellFrom, cellTo, cellCount } = finder;
  for (let index = 0; index < cellCount; index += 1) {
    const to = cellTo[index] as number;
    for (let at = cellFrom[index] as number; at < to; at += 1) {
      const byte = bytes[at];
      if (byte !== 32 && byte !== 9) return false;
    }
  }
  return true;
}
