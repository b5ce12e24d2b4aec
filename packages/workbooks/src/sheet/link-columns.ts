import { CellText } from './cell-text.ts';
import type { RowCells } from './row-cells.ts';
import type { SheetTail } from './sheet-tail.ts';

/** With fewer links whose text is another, a column gets no further one. */
const linksMin = 3;

type LinkColumn = {
  column: number;
  links: ReadonlyMap<number, string>;
  firstLine: number;
  /** Links whose text is another than their address. */
  differing: number;
  /** The fullest row above the first link. */
  header: { line: number; filled: number };
};

/**
 * The addresses behind texts like "View", as further columns behind the last. It looks at all rows before the first is
 * written: at their width, and whether texts are the addresses themselves.
 */
export class LinkColumns {
  private columns: LinkColumn[];
  private width = 0;
  private readonly text: CellText;

  constructor(links: SheetTail['links'], cellBytesMax: number) {
    this.text = new CellText(cellBytesMax);
    this.columns = [...links]
      .filter(([, own]) => own.size >= linksMin)
      .sort(([a], [b]) => a - b)
      .map(([column, own]) => {
        let firstLine = Number.POSITIVE_INFINITY;
        for (const line of own.keys()) firstLine = Math.min(firstLine, line);
        return { column, links: own, firstLine, differing: 0, header: { line: 0, filled: 1 } };
      });
  }

  get isEmpty(): boolean {
    return this.columns.length === 0;
  }

  /** Looks at a row. */
  look(line: number, cells: RowCells): void {
    this.width = Math.max(this.width, cells.width);
    let filled = 0;
    for (let column = 0; column < cells.width; column += 1) if (!cells.isEmpty(column)) filled += 1;
    for (const column of this.columns) {
      if (cells.isEmpty(column.column)) continue;
      const address = column.links.get(line);
      if (address !== undefined && cells.text(column.column) !== address) column.differing += 1;
      if (line < column.firstLine && filled > column.header.filled) column.header = { line, filled };
    }
  }

  /** Keeps the columns that say something new, and that fit. */
  decide(columnsMax: number): void {
    const useful = this.columns.filter(({ differing }) => differing >= linksMin);
    this.columns = useful.slice(0, Math.max(0, columnsMax - this.width));
  }

  /** Adds the addresses of a row. */
  add(line: number, cells: RowCells): void {
    for (const [at, { column, links, header }] of this.columns.entries()) {
      const text = links.get(line) ?? (line === header.line ? `${cells.text(column)} (link)` : '');
      if (text === '') continue;
      this.text.clear();
      this.text.appendString(text);
      this.text.toCsv();
      cells.set(this.width + at, this.text.bytes, 0, this.text.length);
    }
  }
}
