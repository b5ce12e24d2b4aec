import type { Dialect, LineEnd } from '../dialect.ts';
import { type Encoding, isTranscribed, type TextReader, textReader } from '../encoding/encodings.ts';
import { type CellFinder, doubledQuotes, doubledTwice, plain } from './cell-finder.ts';

/**
 * - unclosed-quote: read as text, so the record ends at its line break.
 * - lone-cr: in an unquoted cell, kept. In other files it is a line break.
 */
export type RecordIssue =
  | 'bad-quote'
  | 'unclosed-quote'
  | 'invalid-utf8'
  | 'nul'
  | 'lone-cr'
  | 'mixed-line-ends'
  | 'extra-separator'
  | 'missing-separator';

export type CsvRecord = {
  byteFrom: number;
  byteTo: number;
  /** 1-based physical line; in the text of a sheet the sheet's row. */
  line: number;
  /** 0-based among the non-blank records of this scan. */
  ordinal: number;
  cellCount: number;
  /** Decoded and unquoted; '' beyond cellCount. */
  cell(index: number): string;
  cells(): string[];
  /** An upper bound in UTF-16 units, without decoding. */
  cellCharsMax(index: number): number;
  isQuoted(index: number): boolean;
  /** Null at the end of a file without a final one. */
  lineEnd: LineEnd | null;
  issues: readonly RecordIssue[];
};

const noIssues: readonly RecordIssue[] = [];

/** A decoded record: offsets in its bytes are offsets in its text, differ by utf8ExtraBytes, or cannot be mapped. */
type Decoded = { text: string; kind: 'equal' | 'counted' | 'broken'; isOdd: boolean };

/**
 * The record object of a scan decodes a record when it is first read. Counted extra bytes give offsets in non-ASCII
 * text; with invalid bytes, or control characters to be replaced, cells are decoded singly.
 */
export class ScannedRecord implements CsvRecord {
  byteFrom = 0;
  byteTo = 0;
  line = 1;
  ordinal = 0;
  cellCount = 0;

  readonly #cells: CellFinder;
  readonly #quote: string;
  readonly #lineEnd: LineEnd | undefined;
  readonly #strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  #reader: TextReader;
  #transcribed: boolean;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #next = 0;
  #decoded: Decoded | undefined;

  constructor(cells: CellFinder, dialect: Dialect) {
    this.#cells = cells;
    this.#quote = dialect.quote;
    this.#lineEnd = dialect.lineEnd;
    this.#reader = textReader(dialect.encoding);
    this.#transcribed = isTranscribed(dialect.encoding);
  }

  setEncoding(encoding: Encoding): void {
    this.#reader = textReader(encoding);
    this.#transcribed = isTranscribed(encoding);
    this.#decoded = undefined;
  }

  setBytes(bytes: Uint8Array): void {
    this.#bytes = bytes;
  }

  setRecord(at: number, next: number, baseByte: number, line: number, ordinal: number): void {
    this.#decoded = undefined;
    this.#at = at;
    this.#next = next;
    this.byteFrom = baseByte + at;
    this.byteTo = baseByte + next;
    this.line = line;
    this.ordinal = ordinal;
    this.cellCount = this.#cells.cellCount;
  }

  cell(index: number): string {
    if (index < 0 || index >= this.cellCount) return '';
    const from = this.#cells.cellFrom[index] as number;
    const to = this.#cells.cellTo[index] as number;
    if (from === to) return '';
    const { text, kind } = this.#decode();
    if (kind === 'broken') return this.#unquoted(index, withoutControls(this.#readBytes(from, to)));
    return this.#unquoted(
      index,
      text.slice(this.#textAt(index, from, kind), this.#textAt(index + 1, to, kind)),
    );
  }

  #unquoted(index: number, text: string): string {
    const kind = this.#cells.cellKind[index] as number;
    return kind === plain ? text : unquote(text, kind, this.#quote);
  }

  /** The place in the record's text of a byte in front of cell `index`, or behind the last one. */
  #textAt(index: number, byte: number, kind: Decoded['kind']): number {
    if (kind === 'equal') return byte - this.#at;
    const { extraBytesBefore, utf8ExtraBytes } = this.#cells;
    const extraBytes = index === this.cellCount ? utf8ExtraBytes : (extraBytesBefore[index] as number);
    return byte - this.#at - extraBytes;
  }

  #readBytes(from: number, to: number): string {
    return this.#reader.read(this.#bytes.subarray(from, to));
  }

  /** Counts the bytes: decoding and unquoting never add characters. */
  cellCharsMax(index: number): number {
    if (index < 0 || index >= this.cellCount) return 0;
    return (this.#cells.cellTo[index] as number) - (this.#cells.cellFrom[index] as number);
  }

  isQuoted(index: number): boolean {
    const from = this.#cells.cellFrom[index] as number;
    return index < this.cellCount && from > this.#at && this.#bytes[from - 1] === this.#quote.charCodeAt(0);
  }

  cells(): string[] {
    const cells: string[] = [];
    for (let index = 0; index < this.cellCount; index += 1) cells.push(this.cell(index));
    return cells;
  }

  get lineEnd(): LineEnd | null {
    const last = this.#bytes[this.#next - 1];
    if (last === 10) return this.#next - 2 >= this.#at && this.#bytes[this.#next - 2] === 13 ? 'crlf' : 'lf';
    return last === 13 ? 'cr' : null;
  }

  get issues(): readonly RecordIssue[] {
    const quoteIssues = this.#cells.quoteIssues;
    const { isOdd } = this.#decode();
    const hasOtherLineEnd = this.#hasOtherLineEnd();
    if (!isOdd && quoteIssues.length === 0 && !hasOtherLineEnd) return noIssues;
    const issues = new Set<RecordIssue>(quoteIssues);
    if (hasOtherLineEnd) issues.add('mixed-line-ends');
    if (isOdd) {
      const bytes = this.#bytes.subarray(this.#at, this.#next);
      if (this.#holdsInvalid(bytes)) issues.add('invalid-utf8');
      if (bytes.includes(0)) issues.add('nul');
      if (this.#holdsLoneCr()) issues.add('lone-cr');
    }
    return [...issues];
  }

  #decode(): Decoded {
    if (this.#decoded !== undefined) return this.#decoded;
    const text = this.#readBytes(this.#at, this.#next);
    const replaced = text.includes('\uFFFD');
    const isOdd = replaced || text.includes('\0') || (text.includes('\r') && /\r(?![\r\n])/.test(text));
    // The first byte of control characters also begins '®', '°' and the no-break space.
    const hasControls = this.#reader.singleByte || this.#cells.mayHoldControls ? controls.test(text) : false;
    if (this.#reader.singleByte) {
      this.#decoded = { text: hasControls ? withoutControls(text) : text, kind: 'equal', isOdd };
    } else {
      // Decoding never adds characters, so equal lengths mean one unit per byte.
      const kind = text.length === this.#next - this.#at ? 'equal' : 'counted';
      this.#decoded = { text, kind: replaced || hasControls ? 'broken' : kind, isOdd };
    }
    return this.#decoded;
  }

  #hasOtherLineEnd(): boolean {
    if (this.#lineEnd === undefined) return false;
    const lineEnd = this.lineEnd;
    return lineEnd !== null && lineEnd !== this.#lineEnd;
  }

  #holdsLoneCr(): boolean {
    const { cellFrom, cellTo } = this.#cells;
    for (let index = 0; index < this.cellCount; index += 1) {
      if (this.isQuoted(index)) continue;
      if (this.#bytes.subarray(cellFrom[index], cellTo[index]).includes(13)) return true;
    }
    return false;
  }

  /** In a transcript U+FFFD marks invalid bytes of the file. In UTF-8 the file itself may contain U+FFFD. */
  #holdsInvalid(bytes: Uint8Array): boolean {
    if (this.#reader.singleByte || this.#transcribed) return this.#reader.read(bytes).includes('\uFFFD');
    try {
      this.#strict.decode(bytes);
      return false;
    } catch {
      return true;
    }
  }
}

const windows1252 = new TextDecoder('windows-1252');
const controls = /[\u0080-\u009f]/;

// As HTML does: programs convert Windows-1252 to UTF-8 as if it were Latin-1 (`Cos d\u0092Estournel`).
function withoutControls(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (char) => windows1252.decode(Uint8Array.of(char.charCodeAt(0))));
}

function unquote(text: string, kind: number, quote: string): string {
  if (kind === doubledQuotes) return text.replaceAll(quote + quote, quote);
  if (kind === doubledTwice) return unquote(text.replaceAll(quote + quote, quote), doubledQuotes, quote);
  // A doubled quote, and a quote or backslash after a backslash, are one character.
  let plainText = '';
  for (let at = 0; at < text.length; at += 1) {
    const next = text[at + 1];
    if ((text[at] === '\\' && (next === quote || next === '\\')) || (text[at] === quote && next === quote))
      at += 1;
    plainText += text[at];
  }
  return plainText;
}
