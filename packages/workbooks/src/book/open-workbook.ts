import type { Container } from '../container.ts';
import type { ContainerLimits } from '../limits.ts';
import { readSheet } from '../sheet/read-sheet.ts';
import { readRowCount } from '../sheet/sheet-head.ts';
import type { Package } from './package.ts';
import { sheetContainer } from './sheet-container.ts';
import { readWorkbook, type Sheet } from './workbook.ts';

/** Finds the sheets of a workbook. */
export async function openWorkbook(parts: Package, limits: ContainerLimits): Promise<Container> {
  const book = await readWorkbook(parts);
  const tables: Container['tables'] = [];
  for (const { n, name, isHidden, isActive, part } of book.sheets) {
    const rows = await readRowCount(parts, part);
    tables.push({ n, name, kind: 'sheet', hidden: isHidden, active: isActive, rows });
  }
  const sheetOf = (n: number) => book.sheets.find((sheet) => sheet.n === n) as Sheet;
  return sheetContainer(
    tables,
    ({ n }, options) => readSheet(book, sheetOf(n), limits, options),
    async () => (await import('../pictures/sheet-pictures.ts')).picturesOf(book, limits),
  );
}
