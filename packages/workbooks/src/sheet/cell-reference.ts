import { damagedError } from '../container-error.ts';
import { rowsMax, sheetColumnsMax } from '../limits.ts';

export type Cell = { column: number; row: number };

/** Reads a reference like AB12 into `cell`: a 0-based column and a 1-based row. Returns false if it is invalid. */
export function readReference(bytes: Uint8Array, from: number, to: number, cell: Cell): boolean {
  let at = from;
  let column = 0;
  for (; at < to && at < from + 4; at += 1) {
    const letter = (bytes[at] as number) & 0xdf;
    if (letter < 0x41 || letter > 0x5a) break;
    column = column * 26 + letter - 0x40;
  }
  let row = 0;
  for (const digitsFrom = at; at < to && at < digitsFrom + 8; at += 1) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return false;
    row = row * 10 + digit;
  }
  if (at < to || column === 0 || row === 0) return false;
  if (column > sheetColumnsMax || row > rowsMax) throw damagedError('a cell is beyond the end of the sheet');
  cell.column = column - 1;
  cell.row = row;
  return true;
}

/** Returns a whole number from bytes, or -1 if they are not one. */
export function parseWholeNumber(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  let at = from;
  for (; at < to; at += 1) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9 || number > 1e9) return -1;
    number = number * 10 + digit;
  }
  return to > from ? number : -1;
}

export type CellRange = { fromColumn: number; toColumn: number; fromRow: number; toRow: number };

/** Parses A1:B2 or A1. Returns null if it is neither, or ends before it begins. */
export function parseRange(reference: string): CellRange | null {
  const [from, to] = reference.split(':').map(cellOf);
  if (!from || to === null) return null;
  const last = to ?? from;
  if (last.column < from.column || last.row < from.row) return null;
  return { fromColumn: from.column, toColumn: last.column, fromRow: from.row, toRow: last.row };
}

function cellOf(reference: string): Cell | null {
  const bytes = encoder.encode(reference.replaceAll('$', ''));
  const cell = { column: -1, row: 0 };
  return readReference(bytes, 0, bytes.length, cell) ? cell : null;
}

const encoder = new TextEncoder();
