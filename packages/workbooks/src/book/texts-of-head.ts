import { refuseMuchText, type TextTable } from './texts.ts';

const guess = new Uint8Array(4).fill(0x78);

/** Stands for texts that are not read yet: collects which are needed, and gives each a guessed length. */
export class NeededTexts implements TextTable {
  readonly bytes = guess;
  readonly from = 0;
  readonly to = guess.length;
  readonly needed = new Set<number>();

  find(index: number): boolean {
    this.needed.add(index);
    return true;
  }
}

/** Only the texts that the head of a sheet needs. */
export class KeptTexts implements TextTable {
  bytes: Uint8Array = guess;
  readonly from = 0;
  to = 0;
  private index = 0;
  private total = 0;
  private readonly last: number;
  private readonly kept = new Map<number, Uint8Array>();
  private readonly needed: ReadonlySet<number>;

  constructor(needed: ReadonlySet<number>) {
    this.needed = needed;
    this.last = Math.max(-1, ...needed);
  }

  /** Adds the next text. False if none of those behind it is needed. */
  add(bytes: Uint8Array, length: number): boolean {
    if (this.needed.has(this.index)) {
      this.total += length;
      refuseMuchText(this.total);
      this.kept.set(this.index, bytes.slice(0, length));
    }
    this.index += 1;
    return this.index <= this.last;
  }

  find(index: number): boolean {
    const bytes = this.kept.get(index);
    if (bytes === undefined) return false;
    this.bytes = bytes;
    this.to = bytes.length;
    return true;
  }
}
