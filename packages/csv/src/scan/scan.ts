import type { Dialect } from '../dialect.ts';
import type { Encoding } from '../encoding/encodings.ts';
import { ReadLimitError, type ReadLimits } from '../limits.ts';
import { CellFinder, needsMore, overLimit } from './cell-finder.ts';
import { type CsvRecord, ScannedRecord } from './record.ts';

export type Scanner = {
  /** Takes the next bytes; the piece may be reused by the caller afterwards. Throws ReadLimitError. */
  push(piece: Uint8Array): void;
  /** Tells that no bytes follow; hands over what is left. Throws ReadLimitError. */
  end(): void;
};

export type RecordScanner = Scanner & {
  readonly stopped: boolean;
  /** Reads the text of the records to come in another encoding, after bytes that mean the same in both. */
  readAs(encoding: Encoding): void;
};

/** What a callback returns: nothing to go on, false to stop the reading. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement must fit.
export type GoOn = void | false;

export type ScanOptions = {
  dialect: Dialect;
  limits: ReadLimits;
  /** Where in the file the first byte pushed stands: a border between records. Absent: its beginning. */
  startByte?: number;
  /** 1-based physical line of that byte. */
  startStack?: number;
  /**
   * Called synchronously for every record that is not blank (blank: no cell holds more than spaces and tabs). The
   * record object is used again for the next one: copy what you keep. Return false to stop.
   */
  onRecord: (record: CsvRecord) => GoOn;
  /** Blank records, with the ordinal of the next record that is not; absent: they are passed over. */
  onBlank?: (record: CsvRecord) => void;
};

/**
 * Reads bytes into records. The result depends on the bytes alone, never on how they are cut into pieces. It holds at
 * most the pieces of one record (recordBytesMax) and the piece pushed last. A malformed record carries issues and never
 * ends the reading; only a limit does, by ReadLimitError. Once `stopped`, further pushes are ignored.
 */
export function scan(options: ScanOptions): RecordScanner {
  return new ByteScanner(options);
}

class ByteScanner implements RecordScanner {
  stopped = false;

  readonly #options: ScanOptions;
  readonly #finder: CellFinder;
  readonly #record: ScannedRecord;
  /** Bytes of the mark at the file's beginning that have yet to be passed over. */
  #markBytes: number;
  /** Begun records: bytes [0, held) wait for more. */
  #carry: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #held = 0;
  /** Not before so many bytes are held is it worth looking again; doubling keeps tiny pieces linear. */
  #lookAgainAt = 0;
  /** Offset in the file of the first byte at hand. */
  #baseByte: number;
  #line: number;
  #ordinal = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#finder = new CellFinder(options.dialect, options.limits);
    this.#record = new ScannedRecord(this.#finder, options.dialect);
    this.#baseByte = options.startByte ?? 0;
    this.#line = options.startStack ?? 1;
    this.#markBytes = this.#baseByte === 0 ? options.dialect.bomBytes : 0;
  }

  push(piece: Uint8Array): void {
    if (this.stopped) return;
    const rest = this.#markBytes > 0 ? this.#passMark(piece) : piece;
    if (this.#held === 0) {
      const read = this.#read(rest, rest.length, false);
      this.#hold(rest, read);
      return;
    }
    this.#append(rest);
    if (this.#held < this.#lookAgainAt) return;
    const read = this.#read(this.#carry, this.#held, false);
    this.#carry.copyWithin(0, read, this.#held);
    this.#held -= read;
    this.#planNextLook();
  }

  readAs(encoding: Encoding): void {
    this.#record.setEncoding(encoding);
  }

  end(): void {
    if (this.stopped) return;
    this.#read(this.#carry, this.#held, true);
    this.#held = 0;
  }

  #passMark(piece: Uint8Array): Uint8Array {
    const passed = Math.min(this.#markBytes, piece.length);
    this.#markBytes -= passed;
    this.#baseByte += passed;
    return piece.subarray(passed);
  }

  /** Reads the records in bytes[0, end) and returns where the first one begins that needs more bytes. */
  #read(bytes: Uint8Array, end: number, final: boolean): number {
    const finder = this.#finder;
    this.#record.setBytes(bytes, end);
    const skipsBlank = this.#options.onBlank === undefined;
    let at = 0;
    while (at < end && !this.stopped) {
      if (skipsBlank && bytes[at] === 10) {
        // Files of millions of empty lines exist.
        this.#line += 1;
        at += 1;
        continue;
      }
      const next = finder.find(bytes, at, end, final);
      if (next < 0) {
        if (next === needsMore) break;
        this.#throwLimit(next);
      }
      this.#record.setRecord(at, next, this.#baseByte, this.#line, this.#ordinal);
      if (isBlank(bytes, finder)) {
        this.#options.onBlank?.(this.#record);
      } else {
        this.#ordinal += 1;
        if (this.#options.onRecord(this.#record) === false) this.stopped = true;
      }
      this.#line += 1 + finder.innerLineEnds;
      at = next;
    }
    this.#baseByte += at;
    return at;
  }

  #throwLimit(found: number): never {
    this.stopped = true;
    const limit = limitOf(found);
    throw new ReadLimitError(limit, this.#options.limits[limit] ?? 0, this.#line);
  }

  #hold(piece: Uint8Array, read: number): void {
    const begun = piece.subarray(read);
    if (begun.length === 0) return;
    this.#append(begun);
    this.#planNextLook();
  }

  #planNextLook(): void {
    // Beyond the limit a record is refused: no need to wait for more than that.
    this.#lookAgainAt = Math.min(this.#held * 2, this.#options.limits.recordBytesMax + 1);
    if (this.#lookAgainAt <= this.#held) this.#lookAgainAt = this.#held + 1;
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

function limitOf(found: number): 'columnsMax' | 'cellBytesMax' | 'recordBytesMax' {
  if (found === overLimit.columnsMax) return 'columnsMax';
  return found === overLimit.cellBytesMax ? 'cellBytesMax' : 'recordBytesMax';
}

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
