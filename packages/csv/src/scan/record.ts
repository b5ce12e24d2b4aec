import type { Dialect, LineEnd } from '../dialect.ts';
import { createTextReader, type Encoding, isTranscribed, type TextReader } from '../encoding/encodings.ts';
import { type CellFinder, cellInQuotedLine, cellWithDoubledQuotes, plainCell } from './cell-finder.ts';

/**
 * `unclosed-quote`: the quote is read as text, so the record ends at its line break. `lone-cr`: a CR that is kept in
 * an unquoted cell. With `crEndsLine`, a CR is a line break instead.
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
  /** 1-based line of the file or, in the text of a sheet, the sheet's row. */
  line: number;
  /** 0-based among the non-blank records of this scan. */
  ordinal: number;
  cellCount: number;
  /** Returns a cell, decoded and unquoted, or '' beyond `cellCount`. */
  cell(index: number): string;
  cells(): string[];
  /** Returns an upper bound of a cell's length in UTF-16 units, without decoding. */
  cellCharsMax(index: number): number;
  isQuoted(index: number): boolean;
  /** Null if the file ends without a line break. */
  lineEnd: LineEnd | null;
  issues: readonly RecordIssue[];
};

const noIssues: readonly RecordIssue[] = [];
const windowBytes = 32 * 1024;

/** The mapping of byte offsets in a window to offsets in its text: equal, shifted by extra bytes, or unknown. */
type WindowKind = 'equal' | 'counted' | 'broken';

/**
 * The record of a scan. It decodes a window of many records at once, because a TextDecoder call costs as much as
 * slicing twenty cells. Extra bytes give cell offsets in non-ASCII text. With invalid bytes, cells are decoded singly.
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
  #end = 0;
  #at = 0;
  #next = 0;

  #windowFrom = 0;
  #windowTo = 0;
  #windowText = '';
  #windowKind: WindowKind = 'equal';
  #windowOdd = false;
  #windowControls: boolean | null = null;

  /** UTF-8 bytes minus UTF-16 units: in the window before the record, and in the record. */
  #windowExtraBytes = 0;
  #recordExtraBytes = 0;

  constructor(cells: CellFinder, dialect: Dialect) {
    this.#cells = cells;
    this.#quote = dialect.quote;
    this.#lineEnd = dialect.lineEnd;
    this.#reader = createTextReader(dialect.encoding);
    this.#transcribed = isTranscribed(dialect.encoding);
  }

  setEncoding(encoding: Encoding): void {
    this.#reader = createTextReader(encoding);
    this.#transcribed = isTranscribed(encoding);
    this.setBytes(this.#bytes, this.#end);
  }

  setBytes(bytes: Uint8Array, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#windowFrom = 0;
    this.#windowTo = 0;
  }

  setRecord(at: number, next: number, baseByte: number, line: number, ordinal: number): void {
    // Bytes between records are ASCII, so they add no extra bytes.
    this.#windowExtraBytes += this.#recordExtraBytes;
    this.#recordExtraBytes = this.#cells.utf8ExtraBytes;
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
    const text = this.#read(index, from, to);
    const kind = this.#cells.cellKind[index] as number;
    return kind === plainCell ? text : unquote(text, kind, this.#quote);
  }

  /** Returns the number of bytes, because decoding and unquoting never add characters. */
  cellCharsMax(index: number): number {
    if (index < 0 || index >= this.cellCount) return 0;
    return (this.#cells.cellTo[index] as number) - (this.#cells.cellFrom[index] as number);
  }

  isQuoted(index: number): boolean {
    const from = this.#cells.cellFrom[index] as number;
    return index < this.cellCount && from > this.#at && this.#bytes[from - 1] === this.#quote.charCodeAt(0);
  }

  cells(): string[] {
    const count = this.cellCount;
    const cells: string[] = new Array(count);
    const { cellFrom, cellTo, cellKind, extraBytesBefore, utf8ExtraBytes } = this.#cells;
    this.#needWindow();
    const isCounted = this.#windowKind === 'counted';
    if (this.#windowKind === 'broken' || (isCounted && this.#mayHoldControls())) {
      for (let index = 0; index < count; index += 1) cells[index] = this.cell(index);
      return cells;
    }
    const text = this.#windowText;
    const quote = this.#quote;
    const windowFrom = this.#windowFrom + (isCounted ? this.#windowExtraBytes : 0);
    for (let index = 0; index < count; index += 1) {
      let from = (cellFrom[index] as number) - windowFrom;
      let to = (cellTo[index] as number) - windowFrom;
      if (isCounted) {
        from -= extraBytesBefore[index] as number;
        to -= index + 1 === count ? utf8ExtraBytes : (extraBytesBefore[index + 1] as number);
      }
      const cell = text.slice(from, to);
      const kind = cellKind[index] as number;
      cells[index] = kind === plainCell ? cell : unquote(cell, kind, quote);
    }
    return cells;
  }

  get lineEnd(): LineEnd | null {
    const last = this.#bytes[this.#next - 1];
    if (last === 10) return this.#next - 2 >= this.#at && this.#bytes[this.#next - 2] === 13 ? 'crlf' : 'lf';
    return last === 13 ? 'cr' : null;
  }

  get issues(): readonly RecordIssue[] {
    const quoteIssues = this.#cells.quoteIssues;
    this.#needWindow();
    const hasOtherLineEnd = this.#hasOtherLineEnd();
    if (!this.#windowOdd && quoteIssues.length === 0 && !hasOtherLineEnd) return noIssues;
    const issues = new Set<RecordIssue>(quoteIssues);
    if (hasOtherLineEnd) issues.add('mixed-line-ends');
    if (this.#windowOdd) {
      const bytes = this.#bytes.subarray(this.#at, this.#next);
      if (this.#holdsInvalid(bytes)) issues.add('invalid-utf8');
      if (bytes.includes(0)) issues.add('nul');
      if (this.#holdsLoneCr()) issues.add('lone-cr');
    }
    return [...issues];
  }

  #read(index: number, from: number, to: number): string {
    this.#needWindow();
    if (this.#windowKind === 'broken')
      return withoutControls(this.#reader.read(this.#bytes.subarray(from, to)));
    let fromShift = this.#windowFrom;
    let toShift = fromShift;
    if (this.#windowKind === 'counted') {
      const { extraBytesBefore, utf8ExtraBytes } = this.#cells;
      fromShift += this.#windowExtraBytes + (extraBytesBefore[index] as number);
      const isLast = index + 1 === this.cellCount;
      toShift += this.#windowExtraBytes + (isLast ? utf8ExtraBytes : (extraBytesBefore[index + 1] as number));
    }
    const text = this.#windowText.slice(from - fromShift, to - toShift);
    return this.#windowKind === 'counted' && this.#mayHoldControls() ? withoutControls(text) : text;
  }

  /** Tests the text too, because '®', '°' and the no-break space have the same first byte as control characters. */
  #mayHoldControls(): boolean {
    if (!this.#cells.mayHoldControls) return false;
    this.#windowControls ??= hasControls.test(this.#windowText);
    return this.#windowControls;
  }

  #needWindow(): void {
    if (this.#at < this.#windowFrom || this.#next > this.#windowTo) this.#readWindow();
  }

  #readWindow(): void {
    const from = this.#at;
    const to = Math.max(this.#next, wholeCharacters(this.#bytes, Math.min(this.#end, from + windowBytes)));
    this.#windowFrom = from;
    this.#windowTo = to;
    const text = this.#reader.read(this.#bytes.subarray(from, to));
    const replaced = text.includes('\uFFFD');
    this.#windowOdd = replaced || text.includes('\0') || (text.includes('\r') && /\r(?![\r\n])/.test(text));
    if (this.#reader.singleByte) this.#windowKind = 'equal';
    else if (replaced) this.#windowKind = 'broken';
    // Decoding never adds characters, so equal lengths mean one unit per byte.
    else this.#windowKind = text.length === to - from ? 'equal' : 'counted';
    this.#windowText = this.#reader.singleByte ? withoutControls(text) : text;
    this.#windowExtraBytes = 0;
    this.#windowControls = null;
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

/** Returns the end of the last complete character, because a cut character would become U+FFFD and break the window. */
function wholeCharacters(bytes: Uint8Array, end: number): number {
  for (let lead = end - 1; lead >= end - 3 && lead >= 0; lead -= 1) {
    const byte = bytes[lead] as number;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return lead + length > end ? lead : end;
  }
  return end;
}

const windows1252 = new TextDecoder('windows-1252');
const hasControls = /[\u0080-\u009f]/;

// Reads C1 controls as Windows-1252, as HTML does: some programs convert Windows-1252 as Latin-1 (`d\u0092Estournel`).
function withoutControls(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (char) => windows1252.decode(Uint8Array.of(char.charCodeAt(0))));
}

function unquote(text: string, kind: number, quote: string): string {
  if (kind === cellWithDoubledQuotes) return text.replaceAll(quote + quote, quote);
  if (kind === cellInQuotedLine)
    return unquote(text.replaceAll(quote + quote, quote), cellWithDoubledQuotes, quote);
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
