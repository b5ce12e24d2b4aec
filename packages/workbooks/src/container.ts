import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import { ContainerError, tooLargeError } from './container-error.ts';
import { type ContainerLimits, createInflateBudget, picturesMax, sheetsMax } from './limits.ts';
import type { ReadOptions, TableText } from './table-reading.ts';

/** A table. `n`: 256 times the file's index in an archive, plus the sheet's index. `rows`: as stated in the file. */
export type FoundTable = Pick<FileTable, 'n' | 'name' | 'kind' | 'hidden' | 'rows'> & { active: boolean };

export type EntryLocation = {
  /** Offset of the local header. */
  offset: number;
  bytes: number;
  packed: number;
  method: number;
  crc: number;
};

/** A picture as listed in its container's directory. Its bytes have not been read. */
export type FoundPicture = EntryLocation & {
  entry: string;
  /** Set if the picture is in a compressed workbook within an archive: the workbook's entry. */
  within?: EntryLocation;
  /** Only in a workbook: the table's `n`, and the row of the sheet, from 1. */
  sheet?: number;
  line?: number;
  /** The last row that the picture covers, if that is after `line`. */
  toLine?: number;
};

export type FoundPictures = { pictures: FoundPicture[]; isCut: boolean };

export type Container = {
  kind: 'workbook' | 'archive' | 'gzip';
  tables: FoundTable[];
  /** Yields a sheet as CSV (UTF-8, commas, LF, a line for each row from row 1 on), or a text file's bytes unchanged. */
  read(n: number, options?: ReadOptions): TableText;
  /** Finds an archive's picture files, and the pictures in sheets: one entry for each row at which a picture begins. */
  pictures(): Promise<FoundPictures>;
};

export function createSheetContainer(
  tables: FoundTable[],
  read: (table: FoundTable, options?: ReadOptions) => TableText,
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
  throw tooLargeError(`The workbook has more than ${sheetsMax} sheets. Save the list as a file of its own.`);
}

/** Returns the pictures to extract: only the first ones if there are too many or their unpacked size is too large. */
export function limitPictures(found: FoundPicture[], limits: ContainerLimits): FoundPictures {
  let { left } = createInflateBudget(limits);
  const end = found.findIndex(({ bytes }, at) => {
    left -= bytes;
    return at >= picturesMax || left < 0;
  });
  return end === -1 ? { pictures: found, isCut: false } : { pictures: found.slice(0, end), isCut: true };
}
