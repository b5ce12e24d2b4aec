import { SharedTexts } from '../book/texts.ts';
import type { Sheet, Workbook } from '../book/workbook.ts';
import { type ContainerLimits, toTableBytesMax } from '../limits.ts';
import type { ReadOptions, TableText } from '../table-reading.ts';
import { toUtf8 } from '../xml/read-part.ts';
import { type XmlHandler, XmlScanner } from '../xml/xml-scanner.ts';
import { CellText } from './cell-text.ts';
import { CsvWriter } from './csv-writer.ts';
import { MergedCellFiller } from './merged-cells.ts';
import type { RowCells } from './row-cells.ts';
import { SheetReader, type SheetReaderOptions } from './sheet-reader.ts';
import { readSheetTail, type SheetTail } from './sheet-tail.ts';

/** If a sheet has more bytes, reading only its head leaves out merged cells and links, which are at the file's end. */
const tailBytesMax = 16 * 2 ** 20;

/** Reads a sheet as CSV (UTF-8, commas, LF), with a line for each row from row 1 on. */
export async function* readSheet(
  book: Workbook,
  sheet: Sheet,
  limits: ContainerLimits,
  { headBytes, onNotices }: ReadOptions = {},
): TableText {
  const isLarge = (book.parts.entry(sheet.part)?.bytes ?? 0) > tailBytesMax;
  const tail = headBytes !== undefined && isLarge ? noTail : await readSheetTail(book, sheet);
  // The shared texts are read once for all sheets of a workbook.
  book.texts ??= readTexts(book, limits.cellBytesMax);
  const options = { ...book, ...limits, texts: await book.texts };
  const links = await linkColumns(book, sheet, options, tail);
  const merged = new MergedCellFiller(tail.merged);
  const writer = new CsvWriter(sheet.name, toTableBytesMax(limits));
  let written = 0;
  const rows = new SheetReader(options, (line, cells) => {
    merged.fill(line, cells);
    links.add(line, cells);
    writer.writeEmptyLines(line - written - 1);
    writer.writeRow(cells);
    written = line;
    return writer.hasPieces || writer.bytes >= (headBytes ?? Number.POSITIVE_INFINITY);
  });
  try {
    for await (const _pause of pauses(book, sheet, rows)) {
      yield* writer.takePieces();
      if (headBytes !== undefined && writer.bytes >= headBytes) break;
    }
    yield* writer.takePieces(true);
  } finally {
    onNotices?.(rows.notices());
  }
}

const noTail: SheetTail = { merged: [], links: new Map() };

async function* pauses(book: Workbook, sheet: Sheet, reader: SheetReader): AsyncGenerator<void> {
  const scanner = new XmlScanner(reader);
  for await (const chunk of toUtf8(book.parts.bytes(sheet.part))) {
    scanner.push(chunk);
    while (scanner.run()) yield;
  }
  scanner.end();
}

async function linkColumns(
  book: Workbook,
  sheet: Sheet,
  options: SheetReaderOptions,
  tail: SheetTail,
): Promise<LinkColumns> {
  const links = new LinkColumns(tail.links, options.cellBytesMax);
  if (links.isEmpty) return links;
  const merged = new MergedCellFiller(tail.merged);
  const rows = new SheetReader(options, (line, cells) => {
    merged.fill(line, cells);
    links.look(line, cells);
    return false;
  });
  for await (const _pause of pauses(book, sheet, rows));
  links.decide(options.columnsMax);
  return links;
}

async function readTexts({ parts, textsPart }: Workbook, cellBytesMax: number): Promise<SharedTexts> {
  const reader = new TextReader(cellBytesMax);
  await parts.read(textsPart, reader);
  return reader.texts;
}

// Reads shared texts without the phonetic guides of Asian texts.
class TextReader implements XmlHandler {
  wantsText = false;
  readonly texts = new SharedTexts();
  private readonly cell: CellText;
  private inPhonetic = false;

  constructor(cellBytesMax: number) {
    this.cell = new CellText(cellBytesMax);
  }

  open(name: string): void {
    if (name === 't') this.wantsText = !this.inPhonetic;
    else if (name === 'rPh') this.inPhonetic = true;
  }

  close(name: string): void {
    if (name === 't') this.wantsText = false;
    else if (name === 'rPh') this.inPhonetic = false;
    else if (name === 'si') {
      this.cell.toCsv();
      this.texts.add(this.cell.bytes, this.cell.length);
      this.cell.clear();
    }
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.cell.append(bytes, from, to);
  }
}

/** A column gets a column of addresses only if at least this many of its links show a text other than their address. */
const linksMin = 3;

type LinkColumn = {
  column: number;
  links: ReadonlyMap<number, string>;
  firstLine: number;
  differing: number;
  /** The row with the most cells above the first link. */
  header: { line: number; filled: number };
};

// Adds columns with the addresses of links like "View", to the right of the widest row, which a first pass finds.
class LinkColumns {
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

  decide(columnsMax: number): void {
    const useful = this.columns.filter(({ differing }) => differing >= linksMin);
    this.columns = useful.slice(0, Math.max(0, columnsMax - this.width));
  }

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
