import type { ReadOptions, TableReading } from './table-reading.ts';

export type FoundTable = {
  /** 256 times the number of the file in an archive, plus the number of the sheet. */
  n: number;
  name: string;
  kind: 'sheet' | 'file';
  hidden: boolean;
  active: boolean;
  /** As the file states, which may be wrong. */
  rows: number | null;
};

export type EntryPlace = {
  /** Of the local header. */
  offset: number;
  bytes: number;
  packed: number;
  method: number;
  crc: number;
};

/** A picture as the directory of its container lists it; its bytes have not been read. */
export type FoundPicture = EntryPlace & {
  entry: string;
  /** Set in a packed workbook of an archive. */
  within?: EntryPlace;
  /** In a workbook: the number of the table, and the row of the sheet, from 1. */
  sheet?: number;
  line?: number;
  /** The last row that it covers, if more than `line`. */
  toLine?: number;
};

export type FoundPictures = { pictures: FoundPicture[]; isCut: boolean };

export type Container = {
  kind: 'workbook' | 'archive' | 'gzip';
  tables: FoundTable[];
  /** A sheet as CSV (UTF-8, commas, LF, one line per row from the first), a file with its own bytes. */
  read(n: number, options?: ReadOptions): TableReading;
  /** Pictures beside the list, or those that a sheet shows, once for each place. */
  pictures(): Promise<FoundPictures>;
};
