import { tooLargeError } from '../container-error.ts';
import { textBytesMax, textsMax } from '../limits.ts';

/** The shared texts of a workbook, as bytes, because JavaScript strings would take several times the memory. */
export class SharedTexts {
  bytes = new Uint8Array(2 ** 20);
  /** The range in `bytes` of the text that `find` found last. */
  from = 0;
  to = 0;
  private count = 0;
  private ends = new Uint32Array(65_536);

  add(bytes: Uint8Array, length: number): void {
    const from = this.endBefore(this.count);
    const to = from + length;
    if (to > textBytesMax || this.count >= textsMax) {
      throw tooLargeError(
        'The workbook has more than 64 MB of different texts. Save the sheet as CSV and upload that.',
      );
    }
    if (to > this.bytes.length) {
      const larger = new Uint8Array(Math.max(to, 2 * this.bytes.length));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(bytes.subarray(0, length), from);
    if (this.count === this.ends.length) {
      const larger = new Uint32Array(2 * this.count);
      larger.set(this.ends);
      this.ends = larger;
    }
    this.ends[this.count] = to;
    this.count += 1;
  }

  find(index: number): boolean {
    if (!(index >= 0 && index < this.count)) return false;
    this.from = this.endBefore(index);
    this.to = this.endBefore(index + 1);
    return true;
  }

  private endBefore(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] as number);
  }
}
