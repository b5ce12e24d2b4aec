import type { ReadOptions, TableReading } from './table-reading.ts';

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

/** Where an entry of an archive is, and how it is packed. */
export type EntryPlace = {
  /** Of its local header in the file. */
  offset: number;
  bytes: number;
  packed: number;
  /** 0 stored, 8 deflated. */
  method: number;
  crc: number;
};

/** A picture of a container, as its directory names it. Nothing of its bytes has been read. */
export type FoundPicture = EntryPlace & {
  /** Its path, with '/' between folders. */
  entry: string;
  /** The packed workbook in an archive that it is in. */
  within?: EntryPlace;
  /** In a workbook: the number of the table, and the row of the sheet, from 1. */
  sheet?: number;
  line?: number;
  /** The last row that it covers, if it covers several from `line` on. */
  toLine?: number;
};

/** `isCut`: there are more than a file may have. */
export type FoundPictures = { pictures: FoundPicture[]; isCut: boolean };

/** A file that holds tables, of which any can be read. */
export type Container = {
  kind: 'workbook' | 'archive' | 'gzip';
  tables: FoundTable[];
  /** A sheet as CSV (UTF-8, commas, LF, one line per row from the first), a file with its own bytes. */
  read(n: number, options?: ReadOptions): TableReading;
  /** Pictures beside the list, or those that a sheet shows, once for each place. */
  pictures(): Promise<FoundPictures>;
};
