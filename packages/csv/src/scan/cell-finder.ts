import type { Dialect } from '../dialect.ts';
import type { ReadLimits } from '../limits.ts';
import { leadsControl, type PassedText, passAnyText, repeatedByte, skipText } from './skip-text.ts';
import { findWrappedCell, findWrapping } from './wrapped-line.ts';

/** How the text between `from` and `to` becomes the cell's value. */
export const plain = 0;
export const doubledQuotes = 1;
/** Doubled quotes, or what stands behind a backslash. */
export const escapedQuotes = 2;

/** Doubled quotes in a line that stands in quotes itself. */
export const doubledTwice = 3;

export type QuoteIssue = 'bad-quote' | 'unclosed-quote';

/** `find` returns this when the record goes on behind the bytes at hand. */
export const needsMore = -1;

/** `#findWrapped` returns this when the record is none that stands in quotes as a whole. */
const notWrapped = -5;

const lf = 10;
const cr = 13;
const space = 32;
const tab = 9;
const backslash = 92;

/**
 * By how many bytes UTF-8 is longer than the same text in UTF-16, by byte: each byte within a character adds one, the
 * first one of four takes one back, as such a character is two units.
 */
const surplusOfBytes = Int8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0xf0) return -1;
  return byte >= 0x80 && byte < 0xc0 ? 1 : 0;
});

/** No byte adds so much. */
const endsCell = 2;

export const overLimit = { recordBytesMax: -2, columnsMax: -3, cellBytesMax: -4 } as const;

/**
 * Finds the cells of one record in bytes. Nothing is decoded and nothing kept over from call to call: the same bytes
 * give the same cells however they were cut into pieces.
 *
 * Quotes, beyond RFC 4180 (each rule looks only as far as the next line that holds a quote, so the whole stays linear):
 * a quote opens a cell only as its first byte. Inside, a quote followed by a delimiter or a line end (spaces between are
 * let go) closes; followed by a quote it is one quote; followed by anything else it is a stray and stays in the text.
 * The opening quote was itself mere text if the quoted reading leads nowhere: it never closes, a stray looks like the
 * opening of another cell (it follows a delimiter or a line end), or a line ends where all quotes so far pair up
 * without it being inside any (`"Best" chair,12`). But where a doubled quote on its first line stands before a delimiter
 * or a line end, the first half was meant and the second one closes (`"Table, 48"",12`: inches that nobody escaped).
 */
export class CellFinder implements PassedText {
  /** Offsets of the found cells in the bytes given. */
  cellFrom = new Int32Array(64);
  cellTo = new Int32Array(64);
  cellKind = new Uint8Array(64);
  /** By how many bytes, where they are UTF-8, the record is longer than its text in UTF-16: in front of each cell. */
  surplusBefore = new Int32Array(64);
  /** And in all. */
  surplus = 0;
  mayHoldControls = false;
  cellCount = 0;
  /** Line ends within the record's cells. */
  innerLineEnds = 0;
  quoteIssues: QuoteIssue[] = [];

  readonly #delimiter: number;
  /** -1 where quotes have no meaning. */
  readonly #quote: number;
  readonly #crEndsLine: boolean;
  readonly #spaceAfterDelimiter: boolean;
  readonly #backslashEscapes: boolean;
  readonly #wrappedLines: boolean;
  readonly #recordBytesMax: number;
  readonly #columnsMax: number;
  readonly #cellBytesMax: number;
  /** By byte: `endsCell` for those that end an unquoted cell; for the others, what they add to the surplus. */
  readonly #unquoted = surplusOfBytes.slice();
  /** Of the last quoted cell: where its closing quote stands. */
  #closeAt = 0;
  /** On its first line: the second half of a doubled quote that may have been meant to close, and what follows; or -1. */
  #halfAt = -1;
  #afterHalf = -1;
  #kind = plain;
  #cellSurplus = 0;
  /** The bytes given last. */
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
    // A cell as long as its record may be is a matter of the record's limit.
    this.#cellBytesMax = cellBytesMax < recordBytesMax ? cellBytesMax : Number.POSITIVE_INFINITY;
    this.#unquoted[this.#delimiter] = endsCell;
    this.#unquoted[lf] = endsCell;
    if (this.#crEndsLine) this.#unquoted[cr] = endsCell;
  }

  /**
   * Finds the cells of the record that begins at `start` in `bytes[0, end)`. `final`: nothing follows `end`.
   * Returns where the next record begins, `needsMore`, or one of `overLimit`.
   */
  find(bytes: Uint8Array, start: number, end: number, final: boolean): number {
    const unquoted = this.#unquoted;
    const delimiter = this.#delimiter;
    const delimiters = repeatedByte(delimiter);
    const view = this.#viewOf(bytes);
    // The byte at limitAt may only be the line end.
    const limitAt = start + this.#recordBytesMax;
    const stop = end > limitAt ? limitAt + 1 : end;
    const cut = end > limitAt;
    this.innerLineEnds = 0;
    this.mayHoldControls = false;
    if (this.quoteIssues.length > 0) this.quoteIssues = [];
    if (this.#wrappedLines && bytes[start] === this.#quote) {
      const next = this.#findWrapped(bytes, start, end, stop, cut, final);
      if (next !== notWrapped) return next;
      if (this.quoteIssues.length > 0) this.quoteIssues = [];
    }
    const wordsTo = this.#crEndsLine ? start : stop - 3;
    let count = 0;
    let surplus = 0;
    let at = start;
    for (;;) {
      if (count === this.#columnsMax) return overLimit.columnsMax;
      if (count === this.cellFrom.length) this.#grow();
      if (this.#spaceAfterDelimiter && count > 0 && at < stop && bytes[at] === space) at += 1;
      let from = at;
      let to = -1;
      let kind = plain;
      this.surplusBefore[count] = surplus;
      if (at < stop && bytes[at] === this.#quote) {
        const after = this.#findClose(bytes, at, stop, cut, final);
        if (after === needsMore) return needsMore;
        if (after >= 0) {
          from = at + 1;
          to = this.#closeAt;
          kind = this.#kind;
          surplus += this.#cellSurplus;
          at = after;
        }
      }
      if (to < 0) {
        at = skipText(view, at, wordsTo, delimiters);
        // Most cells end here: to enter the loop for them as well took a tenth of the whole time.
        if (at < stop && unquoted[bytes[at] as number] !== endsCell) {
          this.surplus = surplus;
          at = passAnyText(view, at, wordsTo, delimiters, this);
          at = this.#passBytes(bytes, at, stop);
          surplus = this.surplus;
        }
        to = at;
      }
      if (to - from > this.#cellBytesMax) return overLimit.cellBytesMax;
      this.cellFrom[count] = from;
      this.cellTo[count] = to;
      this.cellKind[count] = kind;
      count += 1;
      if (at < stop) {
        if (bytes[at] === delimiter) {
          at += 1;
          continue;
        }
        this.surplus = surplus;
        return this.#endRecord(bytes, at, end, count, final);
      }
      if (cut) return overLimit.recordBytesMax;
      if (!final) return needsMore;
      this.surplus = surplus;
      this.#trimCr(bytes, count);
      this.cellCount = count;
      return end;
    }
  }

  #passBytes(bytes: Uint8Array, from: number, stop: number): number {
    let at = from;
    for (; at < stop; at += 1) {
      const byte = bytes[at] as number;
      const add = this.#unquoted[byte] as number;
      if (add === endsCell) break;
      if (byte === leadsControl) this.mayHoldControls = true;
      this.surplus += add;
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

  /** Finds the cells of a line that stands in quotes as a whole; as `find`, or `notWrapped`. */
  #findWrapped(
    bytes: Uint8Array,
    start: number,
    end: number,
    stop: number,
    cut: boolean,
    final: boolean,
  ): number {
    const wrapping = findWrapping(bytes, start, stop, this.#quote, this.#crEndsLine);
    const unsure = cut || final ? notWrapped : needsMore;
    if (wrapping === null) return unsure;
    const { closeAt, lineEnds } = wrapping;
    let after = this.#skipBlanks(bytes, closeAt + 1, stop);
    let emptyBehind = 0;
    for (; after < stop && bytes[after] === this.#delimiter; emptyBehind += 1) {
      after = this.#skipBlanks(bytes, after + 1, stop);
    }
    if (after === stop) {
      if (cut || !final) return unsure;
    } else if (this.#unquoted[bytes[after] as number] !== endsCell) return notWrapped;
    let count = 0;
    let mayClose = true;
    this.surplus = 0;
    for (let at = start + 1; at <= closeAt; ) {
      const cell = findWrappedCell(bytes, at, closeAt, this.#delimiter, this.#quote, mayClose);
      if (cell === null) return notWrapped;
      const { from, to, isQuoted, isBad } = cell;
      if (isBad && !isQuoted) mayClose = false;
      if (count === this.#columnsMax) return overLimit.columnsMax;
      if (count === this.cellFrom.length) this.#grow();
      if (to - from > this.#cellBytesMax) return overLimit.cellBytesMax;
      this.cellFrom[count] = from;
      this.cellTo[count] = to;
      this.cellKind[count] = isQuoted ? doubledTwice : doubledQuotes;
      this.surplusBefore[count] = this.surplus;
      for (let inner = from; inner < to; inner += 1) {
        const byte = bytes[inner] as number;
        if (byte === leadsControl) this.mayHoldControls = true;
        this.surplus += surplusOfBytes[byte] as number;
      }
      if (isBad && this.quoteIssues.length === 0) this.quoteIssues.push('bad-quote');
      count += 1;
      at = isQuoted ? to + 3 : to + 1;
    }
    for (; emptyBehind > 0; emptyBehind -= 1) {
      if (count === this.#columnsMax) return overLimit.columnsMax;
      if (count === this.cellFrom.length) this.#grow();
      this.cellFrom[count] = closeAt + 1;
      this.cellTo[count] = closeAt + 1;
      this.cellKind[count] = plain;
      this.surplusBefore[count] = this.surplus;
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
    // CR as a line end: an LF may belong to it.
    if (at + 1 === end && !final) return needsMore;
    return at + 1 < end && bytes[at + 1] === lf ? at + 2 : at + 1;
  }

  /** CRs before the line end belong to it, however many text-mode conversions have put there. */
  #trimCr(bytes: Uint8Array, count: number): void {
    const last = count - 1;
    const from = this.cellFrom[last] as number;
    let to = this.cellTo[last] as number;
    // Only a quoted cell begins behind a quote; its end is the closing one.
    if (bytes[from - 1] === this.#quote) return;
    while (to > from && bytes[to - 1] === cr) to -= 1;
    this.cellTo[last] = to;
  }

  /**
   * Looks for the quote that closes the cell opened at `open`. Returns where the cell's delimiter or line end stands
   * (or `stop`, at the end of the input), with #closeAt, #kind and the line ends set; `needsMore`; or -2 where the
   * opening quote is mere text, with the issue noted.
   */
  #findClose(bytes: Uint8Array, open: number, stop: number, cut: boolean, final: boolean): number {
    const quote = this.#quote;
    const quotes = repeatedByte(quote);
    const backslashEscapes = this.#backslashEscapes;
    const wordsTo = this.#crEndsLine || backslashEscapes ? open : stop - 3;
    let lineEnds = 0;
    let strays = 0;
    let straysOnFirstLine = 0;
    let kind = plain;
    let at = open + 1;
    this.#halfAt = -1;
    this.surplus = 0;
    for (;;) {
      while (at < stop) {
        at = skipText(this.#view, at, wordsTo, quotes);
        if (at < stop && (bytes[at] as number) > 0x7f) {
          at = passAnyText(this.#view, at, wordsTo, quotes, this);
        }
        if (at === stop) break;
        const byte = bytes[at] as number;
        if (byte === quote) break;
        if (byte === leadsControl) this.mayHoldControls = true;
        this.surplus += surplusOfBytes[byte] as number;
        if (byte === lf || (byte === cr && this.#crEndsLine && bytes[at + 1] !== lf)) {
          if ((strays & 1) === 1) return this.#rejectQuote(straysOnFirstLine);
          lineEnds += 1;
        } else if (byte === backslash && backslashEscapes) {
          if (at + 1 === stop && !cut && !final) return needsMore;
          if (at + 1 < stop && (bytes[at + 1] === quote || bytes[at + 1] === backslash)) {
            kind = escapedQuotes;
            at += 1;
          }
        }
        at += 1;
      }
      if (at === stop) return cut || final ? this.#rejectQuote(straysOnFirstLine) : needsMore;
      if (at + 1 < stop && bytes[at + 1] === quote) {
        kind = backslashEscapes ? escapedQuotes : doubledQuotes;
        at += 2;
        if (lineEnds > 0 || this.#halfAt >= 0) continue;
        const behind = this.#skipBlanks(bytes, at, stop);
        if (behind === stop && !cut && !final) return needsMore;
        if (behind === stop ? !cut : this.#unquoted[bytes[behind] as number] === endsCell) {
          this.#halfAt = at - 1;
          this.#afterHalf = behind;
          this.#cellSurplus = this.surplus;
        }
        continue;
      }
      const after = this.#skipBlanks(bytes, at + 1, stop);
      if (after === stop) {
        if (!cut && !final) return needsMore;
        if (!cut) return this.#acceptQuote(at, after, kind, lineEnds, strays);
      } else if (this.#unquoted[bytes[after] as number] === endsCell) {
        return this.#acceptQuote(at, after, kind, lineEnds, strays);
      }
      if (this.#opensCell(bytes, at, open)) return this.#rejectQuote(straysOnFirstLine);
      strays += 1;
      if (lineEnds === 0) straysOnFirstLine += 1;
      at += 1;
    }
  }

  /** Spaces, and the CR of a CRLF, between a closing quote and what ends the cell. */
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
    this.#cellSurplus = this.surplus;
    this.innerLineEnds += lineEnds;
    if (strays > 0) this.quoteIssues.push('bad-quote');
    return after;
  }

  /** All is decided by the first line alone: a worker's chunk may end where that line does. */
  #rejectQuote(straysOnFirstLine: number): number {
    if (this.#halfAt >= 0) {
      this.#closeAt = this.#halfAt;
      this.#kind = this.#backslashEscapes ? escapedQuotes : doubledQuotes;
      this.quoteIssues.push('bad-quote');
      return this.#afterHalf;
    }
    this.quoteIssues.push((straysOnFirstLine & 1) === 1 ? 'bad-quote' : 'unclosed-quote');
    return -2;
  }

  #grow(): void {
    const size = this.cellFrom.length * 2;
    const { cellFrom, cellTo, cellKind, surplusBefore } = this;
    this.cellFrom = new Int32Array(size);
    this.cellTo = new Int32Array(size);
    this.cellKind = new Uint8Array(size);
    this.surplusBefore = new Int32Array(size);
    this.cellFrom.set(cellFrom);
    this.cellTo.set(cellTo);
    this.cellKind.set(cellKind);
    this.surplusBefore.set(surplusBefore);
  }
}
