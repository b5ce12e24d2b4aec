import { tooMuch } from '../container-error.ts';
import { sheetColumnsMax } from '../limits.ts';

/** Counts the hidden columns of a sheet that have content. */
export class HiddenColumns {
  count = 0;
  private ranges = 0;
  private readonly waiting = new Uint8Array(sheetColumnsMax);

  add(first: number, last: number): void {
    this.ranges += 1;
    if (this.ranges > sheetColumnsMax) {
      throw tooMuch('The sheet has too many hidden columns. Save the list as CSV and upload that.');
    }
    this.waiting.fill(1, Math.max(0, first), Math.max(0, last + 1));
  }

  note(column: number): void {
    if (this.waiting[column] !== 1) return;
    this.waiting[column] = 0;
    this.count += 1;
  }
}
