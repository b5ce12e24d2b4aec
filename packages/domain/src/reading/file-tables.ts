/** Notices to the operator about the text that was made of a sheet. */
export type TableNotices = {
  hiddenRows: number;
  hiddenColumns: number;
  errorCells: number;
  formulasWithoutValue: number;
  /** The rows behind one that was repeated very often were not read. */
  endedAtRepeats?: true | undefined;
};

/** A table of a workbook or archive, as it was found when the file was taken. */
export type FileTable = {
  n: number;
  name: string;
  kind: 'sheet' | 'file';
  hidden: boolean;
  /** Rows according to the workbook, or rows that were read; null: unknown. */
  rows: number | null;
  /** Its columns have titles and prices; null: not examined. */
  isList: boolean | null;
  /** Absent: it was never read whole. */
  notices?: TableNotices;
};

/** Adds the notices from reading one of the tables whole. */
export function withRead(
  tables: readonly FileTable[],
  n: number,
  read: Pick<FileTable, 'rows' | 'notices'>,
): FileTable[] {
  return tables.map((table) => (table.n === n ? { ...table, ...read } : table));
}

/** The tables that look like lists of products. */
export const listsIn = <T extends Pick<FileTable, 'isList'>>(tables: readonly T[]): T[] =>
  tables.filter(({ isList }) => isList);
