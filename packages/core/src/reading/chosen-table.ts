import type { ScannedTable } from '@draftshelf/csv/dialect';
import { findTable, noSuchTable, scannedTable } from '@draftshelf/reading/choose-table';
import type { Db } from '../connection/database.ts';
import { readFileTables } from './file-tables.ts';

/** The table with a name in the file of an import, or the sentence that there is none. */
export async function tableNamed(db: Db, importId: string, name: string): Promise<ScannedTable | string> {
  const tables = await readFileTables(db, importId);
  if (tables.length === 0) return 'The file is neither a workbook nor an archive.';
  const table = findTable(tables, name);
  return table ? scannedTable(table) : noSuchTable(tables, name).message;
}
