import { formatSize } from '@draftshelf/csv/limits';
import { tooLargeError } from '../container-error.ts';

import type { RowCells } from './row-cells.ts';

const pieceBytes = 128 * 1024;

export class CsvWriter {
  bytes = 0;
  private piece = new Uint8Array(pieceBytes);
  private length = 0;
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  private readonly bytesMax: number;
  private readonly sheet: string;

  constructor(sheet: string, bytesMax: number) {
    this.sheet = sheet;
    this.bytesMax = bytesMax;
  }

  get hasPieces(): boolean {
    return this.full.length > 0;
  }

  writeRow(row: RowCells): void {
    this.reserve(row.lineBytes);
    const from = this.length;
    this.length = row.writeTo(this.piece, from);
    this.count(this.length - from);
  }

  writeEmptyLines(lines: number): void {
    for (let left = lines; left > 0; ) {
      this.reserve(1);
      const fitting = Math.min(left, this.piece.length - this.length);
      this.piece.fill(0x0a, this.length, this.length + fitting);
      this.length += fitting;
      left -= fitting;
    }
    this.count(lines);
  }

  /** Removes and returns the complete pieces. If `isEnd`, the last piece is included. */
  takePieces(isEnd = false): Uint8Array<ArrayBuffer>[] {
    if (isEnd && this.length > 0) this.finishPiece(0);
    return this.full.splice(0);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.bytesMax) {
      throw tooLargeError(
        `The sheet ‘${this.sheet}’ holds more than ${formatSize(this.bytesMax)} of text. Split it into smaller files, or raise CSV_BYTES_MAX.`,
      );
    }
  }

  private reserve(bytes: number): void {
    if (this.length + bytes > this.piece.length) this.finishPiece(bytes);
  }

  private finishPiece(nextBytes: number): void {
    if (this.length > 0) this.full.push(this.piece.subarray(0, this.length));
    this.piece = new Uint8Array(Math.max(pieceBytes, nextBytes));
    this.length = 0;
  }
}
