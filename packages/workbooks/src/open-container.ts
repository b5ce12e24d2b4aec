import { Package } from './book/package.ts';
import { readWorkbook, type Workbook } from './book/workbook.ts';
import type { ByteSource } from './byte-source.ts';
import { damaged } from './container-error.ts';
import { type ContainerLimits, InflateBudget } from './limits.ts';
import { readSheet, type TableReading } from './sheet/read-sheet.ts';
import { readDirectory } from './zip/directory.ts';

export type { TableNotices, TableReading } from './sheet/read-sheet.ts';

/** A sheet, or a file in an archive. */
export type FoundTable = {
  /** Its number: 256 times that of the file in an archive, plus that of the sheet. */
  n: number;
  name: string;
  kind: 'sheet' | 'file';
  hidden: boolean;
  active: boolean;
  /** As the file says, which may be wrong; null if it does not. */
  rows: number | null;
};

/** A file that holds tables, of which any can be read. */
export type Container = {
  kind: 'workbook' | 'archive' | 'gzip';
  tables: FoundTable[];
  /** A sheet as CSV (UTF-8, commas, LF, one line per row from the first), a file with its own bytes. */
  read(n: number, options?: { headBytes?: number }): TableReading;
};

/** Finds the tables of a workbook or an archive. Throws a ContainerError if it cannot be read. */
export async function openContainer(source: ByteSource, limits: ContainerLimits): Promise<Container> {
  const entries = await readDirectory(source);
  const parts = new Package(source, entries, new InflateBudget(limits));
  return workbookContainer(await readWorkbook(parts), limits);
}

function workbookContainer(book: Workbook, limits: ContainerLimits): Container {
  return {
    kind: 'workbook',
    tables: book.sheets.map(({ n, name, isHidden, isActive }) => ({
      n,
      name,
      kind: 'sheet',
      hidden: isHidden,
      active: isActive,
      rows: null,
    })),
    read: (n) => {
      const sheet = book.sheets.find((sheet) => sheet.n === n);
      if (!sheet) throw damaged('a sheet is missing');
      return readSheet(book, sheet, limits);
    },
  };
}
