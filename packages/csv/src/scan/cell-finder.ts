import type { Dialect } from '../dialect.ts';
import type { ReadLimits } from '../limits.ts';
import { controlLeadByte, repeatByte, type SkippedText, skipText, skipUnicodeText } from './skip-text.ts';
import { findClosingQuote, findWrappedCell } from './wrapped-line.ts';

export const plainCell = 0;
export const cellWithDoubledQuotes = 1;
/** A cell with doubled quotes, or with characters after a backslash. */
export const cellWithEscapes = 2;
/** A quoted cell in a line that is quoted as a whole, so that its quotes are doubled twice. */
export const cellInQuotedLine = 3;

export type QuoteIssue = 'bad-quote' | 'unclosed-quote';

/** Returned by `find` if the record continues after the given bytes. */
export const moreBytesCode = -1;

/** Returned by `#findWrapped` if the record is not a line wrapped in quotes. */
const notWrapped = -5;

const lf = 10;
const cr = 13;
const space = 32;
const tab = 9;
const backslash = 92;

// UTF-8 bytes minus UTF-16 units, by byte: 1 for a continuation byte, -1 for the first byte of a four-byte character.
const extraBytesByByte = Int8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0xf0) return -1;
  return byte >= 0x80 && byte < 0xc0 ? 1 : 0;
});

/** Marks a byte that ends a cell. The other values of the tables with this mark are extra bytes: -1, 0 or 1. */
const endsCell = 2;

export const overLimitCodes = { recordBytesMax: -2, columnsMax: -3, cellBytesMax: -4 } as const;

/**
 * Finds the cells of one record. Keeps nothing between calls, so the result does not depend on how the bytes are
 * split. The rules beyond RFC 4180 look no further than the next line with a quote, so that the scan stays linear:
 * - A quote opens a cell only as its first byte. In an open cell, a quote before a delimiter or line break closes the
 *   cell (blanks in between are dropped), two quotes are one, and any other quote is a stray, which is text.
 * - The opening quote is text if it never closes, if a stray follows a delimiter or line break, or if a line ends
 *   after an odd number of strays, which pair with the opening quote (`"Best" chair,12`).
 * - In these cases, a doubled quote on the first line before a delimiter or line break is instead a quote and the
 *   closing quote (`"Table, 48"",12`: inches without escaping).
 */
export class CellFinder implements SkippedText {
  cellFrom = new Int32Array(64);
  cellTo = new Int32Array(64);
  cellKind = new Uint8Array(64);
  /** By cell: the UTF-8 bytes minus the UTF-16 units of the record up to the cell. */
  extraBytesBefore = new Int32Array(64);
  utf8ExtraBytes = 0;
  mayHoldControls = false;
  cellCount = 0;
  innerLineEnds = 0;
  quoteIssues: QuoteIssue[] = [];

  readonly #delimiter: number;
  /** -1 if quotes have no meaning. */
  readonly #quote: number;
  readonly #crEndsLine: boolean;
  readonly #spaceAfterDelimiter: boolean;
  readonly #backslashEscapes: boolean;
  readonly #wrappedLines: boolean;
  readonly #recordBytesMax: number;
  readonly #columnsMax: number;
  readonly #cellBytesMax: number;
  /** By byte: `endsCell` if the byte ends an unquoted cell, else the number that the byte adds to `utf8ExtraBytes`. */
  readonly #unquoted = extraBytesByByte.slice();
  #closeAt = 0;
  /** Offset of the second quote of a doubled quote that may also close the cell, on the cell's first line, or -1. */
  #possibleCloseAt = -1;
  #afterPossibleClose = -1;
  #kind = plainCell;
  #cellExtraBytes = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #viewed: Uint8Array | undefined;

  constructor(dialect: Dialect, limits: ReadLimits) {
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0);
    this.#crEndsLine = dialect.crEndsLine === true;
    this.#spaceAfterDelimiter = dialect.spaceAfterDelimiter === true;
    this.#backslashEscapes = dialect.backslashEscapes === true;
    this.#wrappedLines = dialect.wrappedLines === true;
    this.#recordBytesMax = limits.recordBytesMax;
    this.#columnsMax = limits.columnsMax;
    const { recordBytesMax, cellBytesMax = recordBytesMax } = limits;
    // A cell limit that is not below the record limit never applies.
    this.#cellBytesMax = cellBytesMax < recordBytesMax ? cellBytesMax : Number.POSITIVE_INFINITY;
    this.#unquoted[this.#delimiter] = endsCell;
    this.#unquoted[lf] = endsCell;
    if (this.#crEndsLine) this.#unquoted[cr] = endsCell;
  }

  /** Finds the record at `start` in `bytes[0, end)`. Returns the next offset, or one of the codes for failures. */
  find(bytes: Uint8Array, start: number, end: number, final: boolean): number {
    const unquoted = this.#unquoted;
    const delimiter = this.#delimiter;
    const delimiters = repeatByte(delimiter);
    const view = this.#viewOf(bytes);
    // The record may fill the limit. Then its line break is at `limitAt`.
    const limitAt = start + this.#recordBytesMax;
    const stop = end > limitAt ? limitAt + 1 : end;
    const isTruncated = end > limitAt;
    this.innerLineEnds = 0;
    this.mayHoldControls = false;
    if (this.quoteIssues.length > 0) this.quoteIssues = [];
    if (this.#wrappedLines && bytes[start] === this.#quote) {
      const next = this.#findWrapped(bytes, start, end, stop, isTruncated, final);
      if (next !== notWrapped) return next;
      if (this.quoteIssues.length > 0) this.quoteIssues = [];
    }
    const wordsTo = this.#crEndsLine ? start : stop - 3;
    let count = 0;
    let extraBytes = 0;
    let at = start;
    for (;;) {
      if (count === this.#columnsMax) return overLimitCodes.columnsMax;
      if (count === this.cellFrom.length) this.#grow();
      if (this.#spaceAfterDelimiter && count > 0 && at < stop && bytes[at] === space) at += 1;
      let from = at;
      let to = -1;
      let kind = plainCell;
      this.extraBytesBefore[count] = extraBytes;
      if (at < stop && bytes[at] === this.#quote) {
        const after = this.#findClose(bytes, at, stop, isTruncated, final);
        if (after === moreBytesCode) return moreBytesCode;
        if (after >= 0) {
          from = at + 1;
          to = this.#closeAt;
          kind = this.#kind;
          extraBytes += this.#cellExtraBytes;
          at = after;
        }
      }
      if (to < 0) {
        at = skipText(view, at, wordsTo, delimiters);
        // Most cells end here. Entering the loop below for these cells as well took 10 % of the total time.
        if (at < stop && unquoted[bytes[at] as number] !== endsCell) {
          this.utf8ExtraBytes = extraBytes;
          at = skipUnicodeText(view, at, wordsTo, delimiters, this);
          at = this.#skipBytes(bytes, at, stop);
          extraBytes = this.utf8ExtraBytes;
        }
        to = at;
      }
      if (to - from > this.#cellBytesMax) return overLimitCodes.cellBytesMax;
      this.cellFrom[count] = from;
      this.cellTo[count] = to;
      this.cellKind[count] = kind;
      count += 1;
      if (at < stop) {
        if (bytes[at] === delimiter) {
          at += 1;
          continue;
        }
        this.utf8ExtraBytes = extraBytes;
        return this.#endRecord(bytes, at, end, count, final);
      }
      if (isTruncated) return overLimitCodes.recordBytesMax;
      if (!final) return moreBytesCode;
      this.utf8ExtraBytes = extraBytes;
      this.#trimCr(bytes, count);
      this.cellCount = count;
      return end;
    }
  }

  #skipBytes(bytes: Uint8Array, from: number, stop: number): number {
    let at = from;
    for (; at < stop; at += 1) {
      const byte = bytes[at] as number;
      const extra = this.#unquoted[byte] as number;
      if (extra === endsCell) break;
      if (byte === controlLeadByte) this.mayHoldControls = true;
      this.utf8ExtraBytes += extra;
    }
    return at;
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (bytes !== this.#viewed) {
      this.#viewed = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return this.#view;
  }

  #findWrapped(
    bytes: Uint8Array,
    start: number,
    end: number,
    stop: number,
    isTruncated: boolean,
    final: boolean,
  ): number {
    const wrapping = findClosingQuote(bytes, start, stop, this.#quote, this.#crEndsLine);
    const unsure = isTruncated || final ? notWrapped : moreBytesCode;
    if (wrapping === null) return unsure;
    const { closeAt, lineEnds } = wrapping;
    let after = this.#skipBlanks(bytes, closeAt + 1, stop);
    let emptyAfter = 0;
    for (; after < stop && bytes[after] === this.#delimiter; emptyAfter += 1) {
      after = this.#skipBlanks(bytes, after + 1, stop);
    }
    if (after === stop) {
      if (isTruncated || !final) return unsure;
    } else if (this.#unquoted[bytes[after] as number] !== endsCell) return notWrapped;
    let count = 0;
    let mayClose = true;
    this.utf8ExtraBytes = 0;
    for (let at = start + 1; at <= closeAt; ) {
      const cell = findWrappedCell(bytes, at, closeAt, this.#delimiter, this.#quote, mayClose);
      if (cell === null) return notWrapped;
      const { from, to, isQuoted, isBad } = cell;
      if (isBad && !isQuoted) mayClose = false;
      if (count === this.#columnsMax) return overLimitCodes.columnsMax;
      if (count === this.cellFrom.length) this.#grow();
      if (to - from > this.#cellBytesMax) return overLimitCodes.cellBytesMax;
      this.cellFrom[count] = from;
      this.cellTo[count] = to;
      this.cellKind[count] = isQuoted ? cellInQuotedLine : cellWithDoubledQuotes;
      this.extraBytesBefore[count] = this.utf8ExtraBytes;
      for (let inner = from; inner < to; inner += 1) {
        const byte = bytes[inner] as number;
        if (byte === controlLeadByte) this.mayHoldControls = true;
        this.utf8ExtraBytes += extraBytesByByte[byte] as number;
      }
      if (isBad && this.quoteIssues.length === 0) this.quoteIssues.push('bad-quote');
      count += 1;
      at = isQuoted ? to + 3 : to + 1;
    }
    for (; emptyAfter > 0; emptyAfter -= 1) {
      if (count === this.#columnsMax) return overLimitCodes.columnsMax;
      if (count === this.cellFrom.length) this.#grow();
      this.cellFrom[count] = closeAt + 1;
      this.cellTo[count] = closeAt + 1;
      this.cellKind[count] = plainCell;
      this.extraBytesBefore[count] = this.utf8ExtraBytes;
      count += 1;
    }
    this.innerLineEnds = lineEnds;
    this.cellCount = count;
    return after === stop ? end : this.#endRecord(bytes, after, end, count, final);
  }

  #endRecord(bytes: Uint8Array, at: number, end: number, count: number, final: boolean): number {
    this.cellCount = count;
    if (bytes[at] === lf) {
      this.#trimCr(bytes, count);
      return at + 1;
    }
    // An LF may follow the CR that ends the line.
    if (at + 1 === end && !final) return moreBytesCode;
    return at + 1 < end && bytes[at + 1] === lf ? at + 2 : at + 1;
  }

  /** Drops all CRs before the LF, because conversions in text mode can add several CRs to a line break. */
  #trimCr(bytes: Uint8Array, count: number): void {
    const last = count - 1;
    const from = this.cellFrom[last] as number;
    let to = this.cellTo[last] as number;
    // A cell after a quote is a quoted cell. It ends at its closing quote, so that a CR in it belongs to the text.
    if (bytes[from - 1] === this.#quote) return;
    while (to > from && bytes[to - 1] === cr) to -= 1;
    this.cellTo[last] = to;
  }

  // Finds the closing quote. Returns the offset after the cell, moreBytesCode, or -2 if the quote at `open` is text.
  #findClose(bytes: Uint8Array, open: number, stop: number, isTruncated: boolean, final: boolean): number {
    const quote = this.#quote;
    const quotes = repeatByte(quote);
    const backslashEscapes = this.#backslashEscapes;
    const wordsTo = this.#crEndsLine || backslashEscapes ? open : stop - 3;
    let lineEnds = 0;
    let strays = 0;
    let straysOnFirstLine = 0;
    let kind = plainCell;
    let at = open + 1;
    this.#possibleCloseAt = -1;
    this.utf8ExtraBytes = 0;
    for (;;) {
      while (at < stop) {
        at = skipText(this.#view, at, wordsTo, quotes);
        if (at < stop && (bytes[at] as number) > 0x7f) {
          at = skipUnicodeText(this.#view, at, wordsTo, quotes, this);
        }
        if (at === stop) break;
        const byte = bytes[at] as number;
        if (byte === quote) break;
        if (byte === controlLeadByte) this.mayHoldControls = true;
        this.utf8ExtraBytes += extraBytesByByte[byte] as number;
        if (byte === lf || (byte === cr && this.#crEndsLine && bytes[at + 1] !== lf)) {
          if ((strays & 1) === 1) return this.#rejectQuote(straysOnFirstLine);
          lineEnds += 1;
        } else if (byte === backslash && backslashEscapes) {
          if (at + 1 === stop && !isTruncated && !final) return moreBytesCode;
          if (at + 1 < stop && (bytes[at + 1] === quote || bytes[at + 1] === backslash)) {
            kind = cellWithEscapes;
            at += 1;
          }
        }
        at += 1;
      }
      if (at === stop) return isTruncated || final ? this.#rejectQuote(straysOnFirstLine) : moreBytesCode;
      if (at + 1 < stop && bytes[at + 1] === quote) {
        kind = backslashEscapes ? cellWithEscapes : cellWithDoubledQuotes;
        at += 2;
        if (lineEnds > 0 || this.#possibleCloseAt >= 0) continue;
        const next = this.#skipBlanks(bytes, at, stop);
        if (next === stop && !isTruncated && !final) return moreBytesCode;
        if (next === stop ? !isTruncated : this.#unquoted[bytes[next] as number] === endsCell) {
          this.#possibleCloseAt = at - 1;
          this.#afterPossibleClose = next;
          this.#cellExtraBytes = this.utf8ExtraBytes;
        }
        continue;
      }
      const after = this.#skipBlanks(bytes, at + 1, stop);
      if (after === stop) {
        if (!isTruncated && !final) return moreBytesCode;
        if (!isTruncated) return this.#acceptQuote(at, after, kind, lineEnds, strays);
      } else if (this.#unquoted[bytes[after] as number] === endsCell) {
        return this.#acceptQuote(at, after, kind, lineEnds, strays);
      }
      if (this.#opensCell(bytes, at, open)) return this.#rejectQuote(straysOnFirstLine);
      strays += 1;
      if (lineEnds === 0) straysOnFirstLine += 1;
      at += 1;
    }
  }

  #skipBlanks(bytes: Uint8Array, from: number, stop: number): number {
    let at = from;
    while (at < stop) {
      const byte = bytes[at];
      if ((byte !== space && byte !== tab) || byte === this.#delimiter) {
        if (byte !== cr || this.#crEndsLine) break;
      }
      at += 1;
    }
    return at;
  }

  #opensCell(bytes: Uint8Array, at: number, open: number): boolean {
    const before = this.#spaceAfterDelimiter && bytes[at - 1] === space ? at - 2 : at - 1;
    return before > open && (this.#unquoted[bytes[before] as number] === endsCell || bytes[before] === cr);
  }

  #acceptQuote(at: number, after: number, kind: number, lineEnds: number, strays: number): number {
    this.#closeAt = at;
    this.#kind = kind;
    this.#cellExtraBytes = this.utf8ExtraBytes;
    this.innerLineEnds += lineEnds;
    if (strays > 0) this.quoteIssues.push('bad-quote');
    return after;
  }

  /** Decides by the first line of the cell, because a worker's chunk may end after this line. */
  #rejectQuote(straysOnFirstLine: number): number {
    if (this.#possibleCloseAt >= 0) {
      this.#closeAt = this.#possibleCloseAt;
      this.#kind = this.#backslashEscapes ? cellWithEscapes : cellWithDoubledQuotes;
      this.quoteIssues.push('bad-quote');
      return this.#afterPossibleClose;
    }
    this.quoteIssues.push((straysOnFirstLine & 1) === 1 ? 'bad-quote' : 'unclosed-quote');
    return -2;
  }

  #grow(): void {
    const size = this.cellFrom.length * 2;
    const { cellFrom, cellTo, cellKind, extraBytesBefore } = this;
    this.cellFrom = new Int32Array(size);
    this.cellTo = new Int32Array(size);
    this.cellKind = new Uint8Array(size);
    this.extraBytesBefore = new Int32Array(size);
    this.cellFrom.set(cellFrom);
    this.cellTo.set(cellTo);
    this.cellKind.set(cellKind);
    this.extraBytesBefore.set(extraBytesBefore);
  }
}
