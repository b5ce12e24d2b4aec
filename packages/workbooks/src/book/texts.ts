import { tooMuch } from '../container-error.ts';
import { textBytesMax, textsMax } from '../limits.ts';

const blockBits = 20;
const blockBytes = 1 << blockBits;
const startsPerBlock = 65_536;

/** Blocks of 1 MiB: an array that doubles takes three times its bytes, JavaScript strings several times as much. */
export class Texts {
  /** Where the text that `find` has found is. */
  bytes: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  private count = 0;
  private total = 0;
  private readonly blocks: Uint8Array[] = [];
  private readonly lengths: number[] = [];
  private readonly starts: Uint32Array[] = [];

  add(bytes: Uint8Array, length: number): void {
    this.total += length;
    if (this.total > textBytesMax || this.count >= textsMax) {
      throw tooMuch(
        'The workbook has more than 64 MB of different texts. Save the sheet as CSV and upload that.',
      );
    }
    let block = this.blocks.length - 1;
    if (block < 0 || (this.lengths[block] as number) + length > blockBytes) {
      block = this.blocks.push(new Uint8Array(Math.max(blockBytes, length))) - 1;
      this.lengths.push(0);
    }
    const start = this.lengths[block] as number;
    (this.blocks[block] as Uint8Array).set(bytes.subarray(0, length), start);
    this.lengths[block] = start + length;
    if (this.count % startsPerBlock === 0) this.starts.push(new Uint32Array(startsPerBlock));
    this.startsOf(this.count)[this.count % startsPerBlock] = block * blockBytes + start;
    this.count += 1;
  }

  find(index: number): boolean {
    if (!(index >= 0 && index < this.count)) return false;
    const place = this.startsOf(index)[index % startsPerBlock] as number;
    const block = place >>> blockBits;
    this.bytes = this.blocks[block] as Uint8Array;
    this.from = place & (blockBytes - 1);
    const next =
      index + 1 < this.count ? (this.startsOf(index + 1)[(index + 1) % startsPerBlock] as number) : -1;
    const isSameBlock = next !== -1 && next >>> blockBits === block;
    this.to = isSameBlock ? next & (blockBytes - 1) : (this.lengths[block] as number);
    return true;
  }

  private startsOf(index: number): Uint32Array {
    return this.starts[Math.floor(index / startsPerBlock)] as Uint32Array;
  }
}
