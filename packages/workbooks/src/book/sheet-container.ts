import type { Container } from '../container.ts';
import { ContainerError, tooMuch } from '../container-error.ts';
import { sheetsMax } from '../limits.ts';
import type { ReadOptions, TableReading } from '../table-reading.ts';

type Found = Container['tables'][number];

export function sheetContainer(
  tables: Found[],
  read: (table: Found, options?: ReadOptions) => TableReading,
  pictures: Container['pictures'] = async () => ({ pictures: [], isCut: false }),
): Container {
  if (tables.length === 0) throw new ContainerError('no_list', 'This workbook has no sheet with cells.');
  return {
    kind: 'workbook',
    tables,
    pictures,
    read: (n, options) => {
      const table = tables.find((table) => table.n === n);
      if (!table) throw new ContainerError('no_list', 'The workbook has no such sheet.');
      return read(table, options);
    },
  };
}

export function refuseManySheets(sheets: number): void {
  if (sheets < sheetsMax) return;
  throw tooMuch(`The workbook has more than ${sheetsMax} sheets. Save the list as a file of its own.`);
}
