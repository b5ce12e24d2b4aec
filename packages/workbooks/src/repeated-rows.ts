import type { TableReading } from './table-reading.ts';
import { isSame, joined } from './xml/bytes.ts';

/** More rows than this that are the same, one after the other, are no products. */
const repeatsMax = 1000;
/** Longer lines are not compared: a thousand of them are larger than the text of a table may be. */
const comparedBytesMax = 256 * 1024;

const [lf, cr] = [10, 13];
/** The bytes of a row without content: NUL (of UTF-16), tab, CR, space, '"', ',', ';' and '|'. */
const emptyBytes = new Set([0, 9, cr, 32, 34, 44, 59, 124]);

/**
 * Ends a table where a row with content has come more than `repeatsMax` times, one after the other: a few packed bytes
 * would become millions of rows. Lines are compared, which works for sheets and for texts in any encoding. The notices
 * say that the table was ended.
 */
export function untilRepeated(reading: TableReading): TableReading {
  const rows = new RepeatedRows();
  return {
    pieces: async function* () {
      let rest = new Uint8Array(0);
      for await (const piece of reading.pieces()) {
        const text = rest.length > 0 ? joined(rest, piece) : piece;
        const length = rows.wholeRows(text);
        if (length > 0) yield text.subarray(0, length);
        if (rows.isOver) return;
        rest = text.subarray(length);
      }
      if (rest.length > 0) yield rest;
    },
    notices: () => ({ ...reading.notices(), ...(rows.isOver && { endedAtRepeats: true }) }),
  };
}

class RepeatedRows {
  isOver = false;
  /** The last line with content. */
  private last: Uint8Array = new Uint8Array(0);
  private times = 0;
  private lineEnd: number | undefined;

  /** The length of the whole lines of a text, up to the row that is one too many. A longer line is taken in parts. */
  wholeRows(text: Uint8Array): number {
    this.lineEnd ??= [lf, cr].find((end) => text.includes(end));
    const lineEnd = this.lineEnd ?? lf;
    let from = 0;
    for (let to = text.indexOf(lineEnd); to >= 0; to = text.indexOf(lineEnd, from)) {
      this.count(text.subarray(from, to));
      if (this.isOver) return from;
      from = to + 1;
    }
    return text.length - from > comparedBytesMax ? text.length : from;
  }

  private count(line: Uint8Array): void {
    if (this.times > 0 && isSame(line, this.last, 0, this.last.length)) this.times += 1;
    else if (line.some((byte) => !emptyBytes.has(byte))) [this.last, this.times] = [line, 1];
    this.isOver = this.times > repeatsMax;
  }
}
