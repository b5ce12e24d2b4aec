import { TextReader } from '../book/text-reader.ts';
import { Texts, type TextTable } from '../book/texts.ts';
import { KeptTexts, NeededTexts } from '../book/texts-of-head.ts';
import type { Sheet, Workbook } from '../book/workbook.ts';
import { type ContainerLimits, tableBytesMax } from '../limits.ts';
import { noNotices, type ReadOptions, type TableReading } from '../table-reading.ts';
import { asUtf8 } from '../xml/as-utf8.ts';
import { XmlScanner } from '../xml/xml-scanner.ts';
import { CsvWriter } from './csv-writer.ts';
import { LinkColumns } from './link-columns.ts';
import { MergedCells } from './merged-cells.ts';
import type { RowCells } from './row-cells.ts';
import { SheetReader } from './sheet-reader.ts';
import { readTail, type SheetTail } from './sheet-tail.ts';

type Source = { book: Workbook; sheet: Sheet; limits: ContainerLimits };

/** For a head, a larger sheet is not unpacked to its end: its merged cells and links are not read. */
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
    // Columns of links need a look at all rows.
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

/** Reads a sheet. Yields each time that its reader pauses. */
async function* pauses({ book, sheet }: Source, reader: SheetReader): AsyncGenerator<void> {
  const scanner = new XmlScanner(reader);
  for await (const chunk of asUtf8(book.parts.bytes(sheet.part))) {
    scanner.push(chunk);
    while (scanner.run()) yield;
  }
  scanner.end();
}

/** The links of a sheet, after a look at all its rows if there are some. */
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

/** The texts of the first rows, which are read once with guessed lengths to know them. */
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
