import { findNotCsvError } from './detect/not-csv.ts';
import { headBytesMax, sniff, sniffSheet } from './detect/sniff.ts';
import { type Dialect, type DialectOverrides, isSheet, type ScannedTable } from './dialect.ts';
import { detectUnmarkedEncoding, indexOfNonAscii } from './encoding/detect-encoding.ts';
import type { Encoding } from './encoding/encodings.ts';
import { createFileScanner } from './encoding/transcriber.ts';
import { joinBytes } from './joined.ts';
import { ReadLimitError, type ReadLimits } from './limits.ts';
import { type DataRow, readTable } from './read-table.ts';
import type { CsvRecord } from './scan/record.ts';
import type { RecordScanner, ScanDecision, Scanner } from './scan/scan.ts';

export type FileReading = Scanner & {
  readonly stopped: boolean;
  /** Undefined until the head has been read. The dialect's encoding is final only after `end`. */
  readonly dialect: Dialect | undefined;
};

export type ReadFileOptions = {
  limits: ReadLimits;
  dialect?: DialectOverrides;
  table?: ScannedTable | undefined;
  /** Called before the first row. `sample`: up to 200 rows within the head. `titles`: the lines above the header. */
  onHeader: (
    headers: string[],
    record: CsvRecord,
    sample: readonly string[][],
    titles: readonly string[],
  ) => void;
  onRow: (row: DataRow) => ScanDecision;
};

/** If the head is all ASCII, the encoding is detected from this many bytes after the first non-ASCII byte. */
const sampleBytesMax = 64 * 1024;
const contextBytes = 64;

/**
 * Reads a file in any encoding, detected from the head (256 KiB) or from the first non-ASCII bytes. If a transcript is
 * scanned, all offsets refer to the transcript. Throws ReadLimitError, and NotCsvError if the file is not CSV.
 */
export function readFile(options: ReadFileOptions): FileReading {
  return new WholeFile(options);
}

class WholeFile implements FileReading {
  dialect: Dialect | undefined;

  readonly #options: ReadFileOptions;
  /** In phase `ascii`, the bytes so far are the same text in every encoding that may still be detected. */
  #phase: 'head' | 'ascii' | 'sample' | 'decided' = 'head';
  #fileBytes = 0;
  #table: RecordScanner | undefined;
  #target: Scanner | undefined;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
  #context: Uint8Array = new Uint8Array(0);

  constructor(options: ReadFileOptions) {
    this.#options = options;
  }

  get stopped(): boolean {
    return this.#table?.stopped === true;
  }

  push(piece: Uint8Array): void {
    const { fileBytesMax } = this.#options.limits;
    this.#fileBytes += piece.length;
    if (fileBytesMax !== undefined && this.#fileBytes > fileBytesMax) {
      throw new ReadLimitError('fileBytesMax', fileBytesMax, 1);
    }
    if (!this.stopped) this.#take(piece);
  }

  end(): void {
    if (this.#phase === 'head') this.#detectFromHead(true);
    if (this.#phase === 'sample') this.#detectFromSample(true);
    (this.#target ?? this.#table)?.end();
  }

  #take(piece: Uint8Array): void {
    if (this.#phase === 'decided') this.#target?.push(piece);
    else if (this.#phase === 'ascii') this.#takeAscii(piece);
    else {
      this.#buffered.push(piece.slice());
      this.#bufferedBytes += piece.length;
      if (this.#phase === 'head' && this.#bufferedBytes >= headBytesMax) this.#detectFromHead(false);
      else if (this.#phase === 'sample' && this.#bufferedBytes >= sampleBytesMax)
        this.#detectFromSample(false);
    }
  }

  #detectFromHead(complete: boolean): void {
    const bytes = this.#takeBuffered();
    const head = bytes.subarray(0, headBytesMax);
    const isWhole = complete && head.length === bytes.length;
    const { dialect: overrides, limits, onHeader, onRow } = this.#options;
    const dialect = this.#dialectOf(head, isWhole);
    let sample = sampleRows(head, isWhole, { dialect, limits });
    const table = readTable({
      dialect,
      limits,
      onHeader(headers, record, titles) {
        onHeader(headers, record, sample, titles);
        // Releases the sample's rows, because the table keeps this function until the end of the file.
        sample = [];
      },
      onRow,
    });
    this.dialect = dialect;
    this.#table = table;
    const mayBeOtherEncoding =
      !isSheet(dialect) &&
      overrides?.encoding === undefined &&
      dialect.encoding === 'utf-8' &&
      dialect.bomBytes === 0 &&
      indexOfNonAscii(head) < 0;
    if (mayBeOtherEncoding) this.#phase = 'ascii';
    else this.#decide(table, dialect.encoding);
    this.#take(bytes);
  }

  #dialectOf(head: Uint8Array, isWhole: boolean): Dialect {
    const { dialect: overrides, table } = this.#options;
    if (table?.kind === 'sheet') return sniffSheet(head, isWhole, table, overrides);
    const dialect = sniff(head, isWhole, overrides);
    const refusal = findNotCsvError(head, /^utf-(?:16|32)/.test(dialect.encoding));
    if (refusal !== null) throw refusal;
    return table ? { ...dialect, table } : dialect;
  }

  #takeAscii(piece: Uint8Array): void {
    const at = indexOfNonAscii(piece);
    const ascii = at < 0 ? piece : piece.subarray(0, at);
    this.#table?.push(ascii);
    this.#context = joinBytes([this.#context, ascii.subarray(-contextBytes)]).subarray(-contextBytes);
    if (at < 0) return;
    this.#phase = 'sample';
    this.#take(piece.subarray(at));
  }

  #detectFromSample(complete: boolean): void {
    const bytes = this.#takeBuffered();
    const encoding = detectUnmarkedEncoding(joinBytes([this.#context, bytes]), complete);
    const table = this.#table as RecordScanner;
    this.dialect = { ...(this.dialect as Dialect), encoding };
    table.readAs(encoding);
    this.#decide(table, encoding);
    this.#take(bytes);
  }

  #decide(table: RecordScanner, encoding: Encoding): void {
    this.#phase = 'decided';
    this.#target = createFileScanner(encoding, table);
  }

  #takeBuffered(): Uint8Array {
    const bytes = joinBytes(this.#buffered);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    return bytes;
  }
}

const sampleRowsMax = 200;

// Reads the sample's rows. At a limit the sample ends without an error, because the full read reports the limit.
function sampleRows(head: Uint8Array, complete: boolean, table: { dialect: Dialect; limits: ReadLimits }) {
  const sample: string[][] = [];
  const rows = readTable({
    ...table,
    onHeader: () => {},
    onRow({ record, ignored }) {
      if (ignored === null) sample.push(record.cells());
      return sample.length < sampleRowsMax ? undefined : false;
    },
  });
  const scanner = createFileScanner(table.dialect.encoding, rows);
  try {
    scanner.push(head);
    if (complete) scanner.end();
  } catch (error) {
    if (!(error instanceof ReadLimitError)) throw error;
  }
  return sample;
}
