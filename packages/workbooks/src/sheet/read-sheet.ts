import { refuseMuchText, Texts, type TextTable } from '../book/texts.ts';
import type { Sheet, Workbook } from '../book/workbook.ts';
import { type ContainerLimits, tableBytesMax } from '../limits.ts';
import { noNotices, type ReadOptions, type TableReading } from '../table-reading.ts';
import { asUtf8 } from '../xml/read-part.ts';
import { type XmlHandler, XmlScanner } from '../xml/xml-scanner.ts';
import { CellText } from './cell-text.ts';
import { CsvWriter } from './csv-writer.ts';
import { MergedCells } from './merged-cells.ts';
import type { RowCells } from './row-cells.ts';
import { SheetReader } from './sheet-reader.ts';
import { readTail, type SheetTail } from './sheet-tail.ts';

type Source = { book: Workbook; sheet: Sheet; limits: ContainerLimits };

/** For a head, merged cells and links of a larger sheet are not read, so that it is not unpacked to its end. */
const tailBytesMax = 16 * 2 ** 20;

/** Reads a sheet as CSV: UTF-8, commas, LF, one line for each of its rows from the first. */
export function readSheet(
  book: Workbook,
  sheet: Sheet,
  limits: ContainerLimits,
  { headBytes }: ReadOptions = {},
): TableReading {
  const source = { book, sheet, limits };
  let reader: SheetReader | undefined;
  async function* pieces() {
    const isLarge = (book.parts.entry(sheet.part)?.bytes ?? 0) > tailBytesMax;
    const tail = headBytes !== undefined && isLarge ? noTail : await readTail(book, sheet);
    const needsAll = headBytes === undefined || tail.links.size > 0;
    const texts = needsAll ? await allTexts(source) : await textsOfHead(source, headBytes);
    const links = await linkColumns(source, texts, tail);
    const merged = new MergedCells(tail.merged);
    const writer = new CsvWriter(sheet.name, tableBytesMax(limits));
    let written = 0;
    const rows = sheetReader(source, texts, (line, cells) => {
      merged.fill(line, cells);
      links.add(line, cells);
      writer.writeEmptyLines(line - written - 1);
      writer.writeRow(cells);
      written = line;
      return writer.hasPieces || writer.bytes >= (headBytes ?? Number.POSITIVE_INFINITY);
    });
    reader = rows;
    for await (const _pause of pauses(source, rows)) {
      yield* writer.takePieces();
      if (headBytes !== undefined && writer.bytes >= headBytes) break;
    }
    yield* writer.takePieces(true);
  }
  return { pieces, notices: () => reader?.notices() ?? noNotices };
}

const noTail: SheetTail = { merged: [], links: new Map() };

const sheetReader = (
  { book, limits }: Source,
  texts: TextTable,
  onRow: (line: number, cells: RowCells) => boolean,
): SheetReader => new SheetReader({ ...book, ...limits, texts, onRow });

async function* pauses({ book, sheet }: Source, reader: SheetReader): AsyncGenerator<void> {
  const scanner = new XmlScanner(reader);
  for await (const chunk of asUtf8(book.parts.bytes(sheet.part))) {
    scanner.push(chunk);
    while (scanner.run()) yield;
  }
  scanner.end();
}

async function linkColumns(source: Source, texts: TextTable, tail: SheetTail): Promise<LinkColumns> {
  const { cellBytesMax, columnsMax } = source.limits;
  const links = new LinkColumns(tail.links, cellBytesMax);
  if (links.isEmpty) return links;
  const merged = new MergedCells(tail.merged);
  const rows = sheetReader(source, texts, (line, cells) => {
    merged.fill(line, cells);
    links.look(line, cells);
    return false;
  });
  for await (const _pause of pauses(source, rows));
  links.decide(columnsMax);
  return links;
}

async function allTexts({ book, limits }: Source): Promise<TextTable> {
  const texts = new Texts();
  const reader = new TextReader(limits.cellBytesMax, ({ bytes, length }) => {
    texts.add(bytes, length);
    return true;
  });
  await book.parts.read(book.texts, reader);
  return texts;
}

/** The first rows are read once with guessed lengths, to find the texts that they need. */
async function textsOfHead(source: Source, headBytes: number): Promise<TextTable> {
  const texts = new NeededTexts();
  let bytes = 0;
  const rows = sheetReader(source, texts, (_line, cells) => {
    bytes += cells.lineBytes;
    return bytes >= headBytes;
  });
  for await (const _pause of pauses(source, rows)) break;
  const kept = new KeptTexts(texts.needed);
  const reader = new TextReader(source.limits.cellBytesMax, (text) => kept.add(text.bytes, text.length));
  if (texts.needed.size > 0) await source.book.parts.read(source.book.texts, reader);
  return kept;
}

// Skips the pronunciation of Asian texts. `onText` returns false to stop.
class TextReader implements XmlHandler {
  wantsText = false;
  private readonly cell: CellText;
  private readonly onText: (cell: CellText) => boolean;
  private scanner: XmlScanner | null = null;
  private inPhonetic = false;

  constructor(cellBytesMax: number, onText: (cell: CellText) => boolean) {
    this.cell = new CellText(cellBytesMax);
    this.onText = onText;
  }

  open(name: string, tag: XmlScanner): void {
    this.scanner = tag;
    if (name === 't') this.wantsText = !this.inPhonetic;
    else if (name === 'rPh') this.inPhonetic = true;
  }

  close(name: string): void {
    if (name === 't') this.wantsText = false;
    else if (name === 'rPh') this.inPhonetic = false;
    else if (name === 'si') {
      this.cell.toCsv();
      if (!this.onText(this.cell) && this.scanner) this.scanner.paused = true;
      this.cell.clear();
    }
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.cell.append(bytes, from, to);
  }
}

const guess = new Uint8Array(4).fill(0x78);

/** Collects the needed indexes. */
class NeededTexts implements TextTable {
  readonly bytes = guess;
  readonly from = 0;
  readonly to = guess.length;
  readonly needed = new Set<number>();

  find(index: number): boolean {
    this.needed.add(index);
    return true;
  }
}

class KeptTexts implements TextTable {
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

  /** False if no later text is needed. */
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

/** Fewer links whose text is not their address make no further column. */
const linksMin = 3;

type LinkColumn = {
  column: number;
  links: ReadonlyMap<number, string>;
  firstLine: number;
  differing: number;
  /** The fullest row above the first link. */
  header: { line: number; filled: number };
};

// Addresses behind texts like "View" become columns behind the last one, whose place only a look at all rows shows.
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
