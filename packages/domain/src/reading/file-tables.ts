/** Notices for the operator about the conversion of a sheet to text. */
export type TableNotices = {
  hiddenRows: number;
  hiddenColumns: number;
  errorCells: number;
  formulasWithoutValue: number;
  /** Set if reading ended at a row that was repeated very often, so that later rows are missing. */
  endedAtRepeats?: true | undefined;
};

/** A table of a workbook or archive, as found when the file was received. */
export type FileTable = {
  n: number;
  name: string;
  kind: 'sheet' | 'file';
  hidden: boolean;
  /** Number of rows, as the workbook states or as read. Null if unknown. */
  rows: number | null;
  /** Whether the table has a column of product titles and one of prices. Null if not examined. */
  isList: boolean | null;
  /** Absent if the table was never read completely. */
  notices?: TableNotices;
};

/** Adds the row count and the notices of a complete read to table `n`. */
export function addReadResult(
  tables: readonly FileTable[],
  n: number,
  read: Pick<FileTable, 'rows' | 'notices'>,
): FileTable[] {
  return tables.map((table) => (table.n === n ? { ...table, ...read } : table));
}

/** Returns the tables that look like lists of products. */
export const selectListTables = <T extends Pick<FileTable, 'isList'>>(tables: readonly T[]): T[] =>
  tables.filter(({ isList }) => isList);
