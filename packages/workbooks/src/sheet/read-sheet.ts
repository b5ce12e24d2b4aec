import { TextReader } from '../book/text-reader.ts';
import type { TextTable } from '../book/texts.ts';
import { Texts } from '../book/texts.ts';
import type { Sheet, Workbook } from '../book/workbook.ts';
import { type ContainerLimits, tableBytesMax } from '../limits.ts';
import { asUtf8 } from '../xml/as-utf8.ts';
import { XmlScanner } from '../xml/xml-scanner.ts';
import { CsvWriter } from './csv-writer.ts';
import { SheetReader } from './sheet-reader.ts';

export type TableNotices = {
  hiddenRows: number;
  hiddenColumns: number;
  errorCells: number;
  formulasWithoutValue: number;
};

export type TableReading = {
  /** The bytes of the table, in pieces of about 128 KiB. */
  pieces(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** What the operator should know about the table. Complete after the last piece. */
  notices(): TableNotices;
};

export const noNotices: TableNotices = {
  hiddenRows: 0,
  hiddenColumns: 0,
  errorCells: 0,
  formulasWithoutValue: 0,
};

/** Reads a sheet as CSV: UTF-8, commas, LF, one line for each of its rows from the first. */
export function readSheet(book: Workbook, sheet: Sheet, limits: ContainerLimits): TableReading {
  let notices = noNotices;
  async function* pieces() {
    const texts = await readTexts(book, limits);
    const rows = rowsOf(book, sheet, limits, texts);
    notices = yield* rows;
  }
  return { pieces, notices: () => notices };
}

async function* rowsOf(
  book: Workbook,
  sheet: Sheet,
  limits: ContainerLimits,
  texts: TextTable,
): AsyncGenerator<Uint8Array<ArrayBuffer>, TableNotices> {
  const writer = new CsvWriter(sheet.name, tableBytesMax(limits));
  let written = 0;
  const reader = new SheetReader({
    ...book,
    ...limits,
    texts,
    onRow: (line, cells) => {
      writer.writeEmptyLines(line - written - 1);
      writer.writeRow(cells);
      written = line;
      return writer.hasPieces ? 'pause' : 'go on';
    },
  });
  const scanner = new XmlScanner(reader);
  for await (const chunk of asUtf8(book.parts.bytes(sheet.part))) {
    scanner.push(chunk);
    while (scanner.run()) yield* writer.takePieces();
  }
  scanner.end();
  yield* writer.takePieces(true);
  const { hiddenRows, hiddenColumns, cells } = reader;
  return {
    hiddenRows,
    hiddenColumns,
    errorCells: cells.errorCells,
    formulasWithoutValue: cells.formulasWithoutValue,
  };
}

async function readTexts(book: Workbook, limits: ContainerLimits): Promise<Texts> {
  const texts = new Texts();
  const reader = new TextReader(limits.cellBytesMax, (cell) => {
    texts.add(cell.bytes, cell.length);
    return true;
  });
  if (book.texts !== null) await book.parts.read(book.texts, reader);
  return texts;
}
