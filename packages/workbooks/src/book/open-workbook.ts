import type { Container } from '../container.ts';
import { ContainerError } from '../container-error.ts';
import type { ContainerLimits } from '../limits.ts';
import { picturesOf } from '../pictures/sheet-pictures.ts';
import { readSheet } from '../sheet/read-sheet.ts';
import { readRowCount } from '../sheet/sheet-head.ts';
import type { Package } from './package.ts';
import { readWorkbook } from './workbook.ts';

/** Finds the sheets of a workbook. */
export async function openWorkbook(parts: Package, limits: ContainerLimits): Promise<Container> {
  const book = await readWorkbook(parts);
  const tables: Container['tables'] = [];
  for (const { n, name, isHidden, isActive, part } of book.sheets) {
    const rows = await readRowCount(parts, part);
    tables.push({ n, name, kind: 'sheet', hidden: isHidden, active: isActive, rows });
  }
  if (tables.length === 0) throw new ContainerError('no_list', 'This workbook has no sheet with cells.');
  return {
    kind: 'workbook',
    tables,
    pictures: () => picturesOf(book),
    read: (n, options) => {
      const sheet = book.sheets.find((sheet) => sheet.n === n);
      if (!sheet) throw new ContainerError('no_list', 'The workbook has no such sheet.');
      return readSheet(book, sheet, limits, options);
    },
  };
}
