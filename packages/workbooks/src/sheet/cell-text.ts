import { formatSize } from '@draftshelf/csv/limits';
import { tooLargeError } from '../container-error.ts';
import { withUnambiguousDecimals } from './number-text.ts';

const [quote, comma, point, carriageReturn, lineFeed, underscore] = [0x22, 0x2c, 0x2e, 0x0d, 0x0a, 0x5f];
const [needsQuotes, hasReturn, hasUnderscore] = [1, 2, 4] as const;
const marks = new Uint8Array(256);
marks[quote] = needsQuotes;
marks[comma] = needsQuotes;
marks[lineFeed] = needsQuotes;
marks[carriageReturn] = needsQuotes | hasReturn;
marks[underscore] = hasUnderscore;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Collects the text of a cell in pieces and converts it to a CSV cell, in bytes. */
export class CellText {
  bytes = new Uint8Array(1024);
  length = 0;
  private found = 0;
  private readonly bytesMax: number;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  clear(): void {
    this.length = 0;
    this.found = 0;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.bytesMax) {
      throw tooLargeError(
        `The workbook has a cell of more than ${formatSize(this.bytesMax)}. Shorten it, or raise CELL_BYTES_MAX.`,
      );
    }
    this.reserve(length);
    const own = this.bytes;
    let found = this.found;
    for (let at = from, next = this.length; at < to; at += 1, next += 1) {
      const byte = bytes[at] as number;
      own[next] = byte;
      found |= marks[byte] as number;
    }
    this.found = found;
    this.length = length;
  }

  appendString(text: string): void {
    const bytes = encoder.encode(text);
    this.append(bytes, 0, bytes.length);
  }

  toString(): string {
    return decoder.decode(this.bytes.subarray(0, this.length));
  }

  // Converts the text to a CSV cell. Also quotes a text (unless `isNumber`) whose three decimals may be thousands.
  toCsv(isNumber = false): void {
    if (this.found & (hasReturn | hasUnderscore)) this.decodeEscapes();
    if (this.found & needsQuotes || (!isNumber && this.looksLikeThousands())) this.putInQuotes();
  }

  private looksLikeThousands(): boolean {
    const { length } = this;
    if (length < 5 || length > 8 || this.bytes[length - 4] !== point) return false;
    return withUnambiguousDecimals(this.toString()).length > length;
  }

  /** Decodes Excel's escapes: _x000D_ for a control character, _x005F_ for an underscore that would begin an escape. */
  private decodeEscapes(): void {
    const text = this.toString();
    const decoded = text
      .replace(/_x([\da-f]{4})_/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll('\r\n', '\n');
    if (decoded === text) return;
    this.clear();
    this.appendString(decoded);
  }

  private putInQuotes(): void {
    const { length } = this;
    let quotes = 2;
    for (let at = 0; at < length; at += 1) if (this.bytes[at] === quote) quotes += 1;
    this.reserve(length + quotes);
    const { bytes } = this;
    // Moves from the end, so that no byte is overwritten before it is moved.
    let to = length + quotes - 1;
    bytes[to] = quote;
    for (let at = length - 1; at >= 0; at -= 1) {
      const byte = bytes[at] as number;
      bytes[--to] = byte;
      if (byte === quote) bytes[--to] = quote;
    }
    bytes[0] = quote;
    this.length = length + quotes;
  }

  private reserve(length: number): void {
    if (length <= this.bytes.length) return;
    const larger = new Uint8Array(2 * length);
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
