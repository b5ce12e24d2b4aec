import { tooLargeError } from '../container-error.ts';
import { mergedCellsMax, mergesMax, rowBytesMax } from '../limits.ts';
import type { RowCells } from './row-cells.ts';

export type MergedCell = { column: number; from: number; to: number };

/** Repeats the text of merged cells in the rows that they cover, if these rows have other content. */
export class MergedCellFiller {
  private readonly waiting: MergedCell[];
  private next = 0;
  /** The merged cells that cover the current row, by column. Only in a forged file do two of them overlap. */
  private readonly open = new Map<number, { to: number; bytes: Uint8Array }>();
  private filled = 0;
  private openBytes = 0;

  constructor(merged: readonly MergedCell[]) {
    this.waiting = merged.toSorted((a, b) => a.from - b.from);
  }

  add(cell: MergedCell): void {
    if (this.waiting.length === mergesMax) throw tooManyMerged();
    this.waiting.push(cell);
  }

  fill(line: number, cells: RowCells): void {
    if (this.next === this.waiting.length && this.open.size === 0) return;
    for (const [column, { to, bytes }] of this.open) {
      if (to < line) this.end(column);
      if (to < line || !cells.isEmpty(column)) continue;
      this.filled += 1;
      if (this.filled > mergedCellsMax) throw tooManyMerged();
      cells.set(column, bytes, 0, bytes.length);
    }
    for (; this.next < this.waiting.length; this.next += 1) {
      const { column, from, to } = this.waiting[this.next] as MergedCell;
      if (from > line) return;
      // The first row of a merged cell may have been skipped, because it had no content.
      if (from === line && !cells.isEmpty(column)) {
        this.end(column);
        const bytes = cells.cell(column).slice();
        this.openBytes += bytes.length;
        if (this.openBytes > rowBytesMax) throw tooManyMerged();
        this.open.set(column, { to, bytes });
      }
    }
  }

  private end(column: number): void {
    this.openBytes -= this.open.get(column)?.bytes.length ?? 0;
    this.open.delete(column);
  }
}

const tooManyMerged = () =>
  tooLargeError('The workbook has too many merged cells to read. Save the sheet as CSV.');
