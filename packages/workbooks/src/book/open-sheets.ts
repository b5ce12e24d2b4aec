import type { ByteSource } from '../byte-source.ts';
import type { Container } from '../container.ts';
import { createSheetContainer } from '../container.ts';
import { type ContainerLimits, type InflateBudget, refuseLargeFile } from '../limits.ts';
import { parseRange } from '../sheet/cell-reference.ts';
import { readSheet } from '../sheet/read-sheet.ts';
import { createTagHandler, readPart } from '../xml/read-part.ts';
import type { ZipEntry } from '../zip/directory.ts';
import { Package } from './package.ts';
import { isOfficePackage, isOpenDocument, otherDocumentError } from './refused-formats.ts';
import { readWorkbook, type Sheet } from './workbook.ts';

/** Opens a workbook of any format. Returns null if the archive is not a workbook. */
export async function openSheets(
  source: ByteSource,
  entries: readonly ZipEntry[],
  limits: ContainerLimits,
  budget: InflateBudget,
): Promise<Container | null> {
  const other = otherDocumentError(entries);
  if (other) throw other;
  const isOds = isOpenDocument(entries);
  if (!isOds && !isOfficePackage(entries)) return null;
  refuseLargeFile(source.bytes, limits.fileBytesMax);
  const parts = new Package(source, entries, budget);
  return isOds ? (await import('../ods/open-ods.ts')).openOds(parts, limits) : openWorkbook(parts, limits);
}

async function openWorkbook(parts: Package, limits: ContainerLimits): Promise<Container> {
  const book = await readWorkbook(parts);
  const tables: Container['tables'] = [];
  for (const { n, name, isHidden, isActive, part } of book.sheets) {
    const rows = await readRowCount(parts, part);
    tables.push({ n, name, kind: 'sheet', hidden: isHidden, active: isActive, rows });
  }
  const sheetOf = (n: number) => book.sheets.find((sheet) => sheet.n === n) as Sheet;
  return createSheetContainer(
    tables,
    ({ n }, options) => readSheet(book, sheetOf(n), limits, options),
    async () => (await import('../pictures/sheet-pictures.ts')).picturesOf(book, limits),
  );
}

/** Returns a sheet's number of rows, or null if the sheet does not state it before its first row. */
async function readRowCount(parts: Package, part: string): Promise<number | null> {
  let rows: number | null = null;
  const handler = createTagHandler((name, tag) => {
    if (name === 'dimension') rows = parseRange(tag.attribute('ref') ?? '')?.toRow ?? null;
    tag.paused ||= name === 'dimension' || name === 'sheetData';
  });
  await readPart(parts.bytes(part), handler);
  return rows;
}
