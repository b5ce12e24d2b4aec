import { NotCsvError, notCsv } from './detect/not-csv.ts';
import { headBytesMax, sniff } from './detect/sniff.ts';
import type { Dialect, DialectOverrides } from './dialect.ts';
import { detectUnmarked, firstBeyondAscii } from './encoding/detect-encoding.ts';
import { type Encoding, isTranscribed } from './encoding/encodings.ts';
import { transcriber } from './encoding/transcriber.ts';
import { ReadLimitError, type ReadLimits } from './limits.ts';
import { type DataRow, readTable } from './read-table.ts';
import type { CsvRecord } from './scan/record.ts';
import type { GoOn, RecordScanner, Scanner } from './scan/scan.ts';

export type FileReading = Scanner & {
  readonly stopped: boolean;
  /** Undefined until the head has passed. Its encoding is settled only when the whole file has. */
  readonly dialect: Dialect | undefined;
};

export type ReadFileOptions = {
  limits: ReadLimits;
  /** How to read, where it was said; what is not said is judged from the head. */
  dialect?: DialectOverrides;
  onHeader: (headers: string[], record: CsvRecord) => void;
  onRow: (row: DataRow) => GoOn;
};

/** So many bytes from the first one that is not ASCII are judged, where the head was all ASCII. */
const sampleBytesMax = 64 * 1024;
/** And so many before it, for the word it stands in. */
const contextBytes = 64;

/**
 * Reads the bytes of a whole file, whatever its encoding: judges the dialect from the head (of 256 KiB, held until
 * then), and where that is pure ASCII, the encoding from the first bytes that are not. Where the file needs a
 * transcript, that is what is scanned: offsets are those of what `transcriber` makes of the file.
 *
 * `push` and `end` throw ReadLimitError, and NotCsvError for a file that is no CSV at all.
 */
export function readFile(options: ReadFileOptions): FileReading {
  return new WholeFile(options);
}

class WholeFile implements FileReading {
  dialect: Dialect | undefined;

  readonly #options: ReadFileOptions;
  /** ascii: all bytes so far mean the same in every encoding that may still be found. */
  #phase: 'head' | 'ascii' | 'sample' | 'settled' = 'head';
  #fileBytes = 0;
  #table: RecordScanner | undefined;
  /** Takes the bytes of the file once the encoding is settled. */
  #settled: Scanner | undefined;
  /** The head, or the sample. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
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
    if (this.#phase === 'head') this.#judgeHead(true);
    if (this.#phase === 'sample') this.#judgeSample(true);
    (this.#settled ?? this.#table)?.end();
  }

  #take(piece: Uint8Array): void {
    if (this.#phase === 'settled') this.#settled?.push(piece);
    else if (this.#phase === 'ascii') this.#takeAscii(piece);
    else {
      this.#waiting.push(piece.slice());
      this.#waitingBytes += piece.length;
      if (this.#phase === 'head' && this.#waitingBytes >= headBytesMax) this.#judgeHead(false);
      else if (this.#phase === 'sample' && this.#waitingBytes >= sampleBytesMax) this.#judgeSample(false);
    }
  }

  #judgeHead(complete: boolean): void {
    const bytes = this.#takeWaiting();
    const head = bytes.subarray(0, headBytesMax);
    const said = this.#options.dialect;
    const dialect = sniff(head, complete && head.length === bytes.length, said);
    const refusal = notCsv(head, /^utf-(?:16|32)/.test(dialect.encoding));
    if (refusal !== null) throw new NotCsvError(refusal);
    const table = readTable({ ...this.#options, dialect });
    this.dialect = dialect;
    this.#table = table;
    const open =
      said?.encoding === undefined &&
      dialect.encoding === 'utf-8' &&
      dialect.bomBytes === 0 &&
      firstBeyondAscii(head) < 0;
    if (open) this.#phase = 'ascii';
    else this.#decide(table, dialect.encoding);
    this.#take(bytes);
  }

  #takeAscii(piece: Uint8Array): void {
    const at = firstBeyondAscii(piece);
    const ascii = at < 0 ? piece : piece.subarray(0, at);
    this.#table?.push(ascii);
    this.#context = joined([this.#context, ascii.subarray(-contextBytes)]).subarray(-contextBytes);
    if (at < 0) return;
    this.#phase = 'sample';
    this.#take(piece.subarray(at));
  }

  #judgeSample(complete: boolean): void {
    const bytes = this.#takeWaiting();
    const encoding = detectUnmarked(joined([this.#context, bytes]), complete);
    const table = this.#table as RecordScanner;
    this.dialect = { ...(this.dialect as Dialect), encoding };
    table.readAs(encoding);
    this.#decide(table, encoding);
    this.#take(bytes);
  }

  #decide(table: RecordScanner, encoding: Encoding): void {
    this.#phase = 'settled';
    this.#settled = table;
    if (!isTranscribed(encoding)) return;
    const transcript = transcriber(encoding, (piece) => table.push(piece));
    this.#settled = {
      push: transcript.push,
      end() {
        transcript.end();
        table.end();
      },
    };
  }

  #takeWaiting(): Uint8Array {
    const bytes = joined(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return bytes;
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
