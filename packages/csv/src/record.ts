import { type CellFinder, doubledQuotes, plain } from './cell-finder.ts';

/**
 * bad-quote: quotes that do not pair up, read as text. unclosed-quote: a quote that opens a cell and never closes, read
 * as text, so that the record ends at its line end. invalid-utf8: bytes shown as U+FFFD. nul: a NUL byte, kept.
 */
export type RecordIssue = 'bad-quote' | 'unclosed-quote' | 'invalid-utf8' | 'nul';

export type CsvRecord = {
  /** Offset of the first byte in the scanned object. */
  byteFrom: number;
  /** Offset behind the record's line end. */
  byteTo: number;
  /** 1-based physical line of the first byte. */
  line: number;
  /** 0-based among the non-blank records of this scan. */
  ordinal: number;
  cellCount: number;
  /** The decoded, unquoted cell; '' beyond cellCount. */
  cell(index: number): string;
  /** All cells, as `cell` gives them. */
  cells(): string[];
  issues: readonly RecordIssue[];
};

const noIssues: readonly RecordIssue[] = [];
const windowBytes = 32 * 1024;

/**
 * The one record object of a scan, pointed at the record that was found last. It decodes on demand, in windows of many
 * records: one TextDecoder call costs as much as slicing some twenty cells. In a window of pure ASCII a byte's offset is
 * a character's offset; elsewhere the record is decoded by itself and offsets are counted over.
 */
export class ScannedRecord implements CsvRecord {
  byteFrom = 0;
  byteTo = 0;
  line = 1;
  ordinal = 0;
  cellCount = 0;

  readonly #cells: CellFinder;
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  #at = 0;
  #next = 0;

  #windowFrom = 0;
  #windowTo = 0;
  #windowText: string | null = null;
  #windowNul = false;

  /** Of a record in a window that is not ASCII: its text, or null if it is not valid UTF-8. */
  #ownText: string | null = null;
  #ownRead = false;
  #charFrom = new Int32Array(0);
  #charTo = new Int32Array(0);

  constructor(cells: CellFinder) {
    this.#cells = cells;
  }

  /** Tells that records are now found in `bytes[0, end)`. */
  setBytes(bytes: Uint8Array, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#windowFrom = 0;
    this.#windowTo = 0;
  }

  /** Points the record at the bytes [at, next), where the cell finder found its cells. */
  setRecord(at: number, next: number, baseByte: number, line: number, ordinal: number): void {
    this.#at = at;
    this.#next = next;
    this.#ownRead = false;
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
    const kind = this.#cells.cellKind[index] as number;
    if (this.#inAsciiWindow()) {
      const text = (this.#windowText as string).slice(from - this.#windowFrom, to - this.#windowFrom);
      return kind === plain ? text : unquote(text, kind);
    }
    this.#readOwnText();
    const text =
      this.#ownText === null
        ? this.#lenient.decode(this.#bytes.subarray(from, to))
        : this.#ownText.slice(this.#charFrom[index], this.#charTo[index]);
    return kind === plain ? text : unquote(text, kind);
  }

  cells(): string[] {
    const cells: string[] = new Array(this.cellCount);
    for (let index = 0; index < this.cellCount; index += 1) cells[index] = this.cell(index);
    return cells;
  }

  get issues(): readonly RecordIssue[] {
    const quoteIssues = this.#cells.quoteIssues;
    const ascii = this.#inAsciiWindow();
    if (ascii && !this.#windowNul && quoteIssues.length === 0) return noIssues;
    const issues = new Set<RecordIssue>(quoteIssues);
    if (!ascii) {
      this.#readOwnText();
      if (this.#ownText === null) issues.add('invalid-utf8');
    }
    if (this.#bytes.subarray(this.#at, this.#next).includes(0)) issues.add('nul');
    return [...issues];
  }

  #inAsciiWindow(): boolean {
    if (this.#at < this.#windowFrom || this.#next > this.#windowTo) this.#readWindow();
    return this.#windowText !== null;
  }

  #readWindow(): void {
    this.#windowFrom = this.#at;
    this.#windowTo = Math.min(this.#end, Math.max(this.#next, this.#at + windowBytes));
    const text = this.#lenient.decode(this.#bytes.subarray(this.#windowFrom, this.#windowTo));
    // Decoding never adds characters, so equal lengths mean one character per byte.
    const ascii = text.length === this.#windowTo - this.#windowFrom && !text.includes('\uFFFD');
    this.#windowText = ascii ? text : null;
    this.#windowNul = ascii && text.includes('\0');
  }

  #readOwnText(): void {
    if (this.#ownRead) return;
    this.#ownRead = true;
    try {
      this.#ownText = this.#strict.decode(this.#bytes.subarray(this.#at, this.#next));
    } catch {
      this.#ownText = null;
      return;
    }
    this.#countChars();
  }

  /** Turns the cells' byte offsets into offsets in the record's text, in one walk. */
  #countChars(): void {
    const { cellFrom, cellTo } = this.#cells;
    if (this.#charFrom.length < this.cellCount) {
      this.#charFrom = new Int32Array(cellFrom.length);
      this.#charTo = new Int32Array(cellFrom.length);
    }
    const bytes = this.#bytes;
    let at = this.#at;
    let chars = 0;
    for (let index = 0; index < this.cellCount; index += 1) {
      const from = cellFrom[index] as number;
      for (; at < from; at += 1) chars += charsBegunBy(bytes[at] as number);
      this.#charFrom[index] = chars;
      const to = cellTo[index] as number;
      for (; at < to; at += 1) chars += charsBegunBy(bytes[at] as number);
      this.#charTo[index] = chars;
    }
  }
}

/** UTF-16 units of the character that a byte of valid UTF-8 begins: none in its middle, two above U+FFFF. */
function charsBegunBy(byte: number): number {
  if ((byte & 0xc0) === 0x80) return 0;
  return byte >= 0xf0 ? 2 : 1;
}

function unquote(text: string, kind: number): string {
  return kind === doubledQuotes ? text.replaceAll('""', '"') : text.replace(/\\"|""/g, '"');
}
