import { formatSize } from '@draftshelf/csv/limits';
import { tooLargeError } from '../container-error.ts';
import { rowBytesMax, sheetColumnsMax } from '../limits.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The cells of the current row as CSV bytes. They may be set in any order. */
export class RowCells {
  width = 0;
  private bytes = new Uint8Array(64 * 1024);
  private length = 0;
  private readonly from: Int32Array;
  private readonly to: Int32Array;

  constructor(columnsMax: number) {
    this.from = new Int32Array(columnsMax);
    this.to = new Int32Array(columnsMax);
  }

  clear(): void {
    this.to.fill(0, 0, this.width);
    this.from.fill(0, 0, this.width);
    this.width = 0;
    this.length = 0;
  }

  /** Sets a cell. Of two values for the same cell, the last one stays. */
  set(column: number, bytes: Uint8Array, from: number, to: number): void {
    if (column >= this.from.length) {
      if (to === from) return;
      const columns = this.from.length.toLocaleString('en-US');
      throw tooLargeError(`The sheet has more than ${columns} columns. Remove some, or raise COLUMNS_MAX.`);
    }
    const start = this.length;
    const length = start + to - from;
    if (length > this.bytes.length) this.grow(length);
    const own = this.bytes;
    // Most cells are short. For them a loop is faster than a view and a copy.
    if (to - from > 64) own.set(bytes.subarray(from, to), start);
    else for (let at = from, next = start; at < to; at += 1, next += 1) own[next] = bytes[at] as number;
    this.from[column] = start;
    this.to[column] = length;
    this.length = length;
    if (to > from && column >= this.width) this.width = column + 1;
  }

  isEmpty(column: number): boolean {
    return column >= this.width || this.from[column] === this.to[column];
  }

  /** Returns a cell's bytes, valid until the row is cleared. */
  cell(column: number): Uint8Array {
    return column < this.width
      ? this.bytes.subarray(this.from[column], this.to[column])
      : this.bytes.subarray(0, 0);
  }

  text(column: number): string {
    const text = decoder.decode(this.cell(column));
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  }

  get lineBytes(): number {
    return this.length + this.width + 1;
  }

  /** Writes the row as a CSV line into `target` from index `at`. Returns the index after the line. */
  writeTo(target: Uint8Array, at: number): number {
    let next = at;
    const own = this.bytes;
    for (let column = 0; column < this.width; column += 1) {
      if (column > 0) target[next++] = 0x2c;
      const from = this.from[column] as number;
      const to = this.to[column] as number;
      if (to - from > 64) {
        target.set(own.subarray(from, to), next);
        next += to - from;
      } else {
        for (let byte = from; byte < to; byte += 1) target[next++] = own[byte] as number;
      }
    }
    target[next++] = 0x0a;
    return next;
  }

  private grow(length: number): void {
    if (length > rowBytesMax)
      throw tooLargeError(
        `The workbook has a row of more than ${formatSize(rowBytesMax)}. Shorten its texts.`,
      );
    const larger = new Uint8Array(Math.min(rowBytesMax, 2 * length));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

/** Counts the hidden columns of a sheet that have content. */
export class HiddenColumnCounter {
  count = 0;
  private ranges = 0;
  private readonly waiting = new Uint8Array(sheetColumnsMax);

  add(first: number, last: number): void {
    this.ranges += 1;
    if (this.ranges > sheetColumnsMax) {
      throw tooLargeError('The sheet has too many hidden columns. Save the list as CSV and upload that.');
    }
    this.waiting.fill(1, Math.max(0, first), Math.max(0, last + 1));
  }

  note(column: number): void {
    if (this.waiting[column] !== 1) return;
    this.waiting[column] = 0;
    this.count += 1;
  }
}
