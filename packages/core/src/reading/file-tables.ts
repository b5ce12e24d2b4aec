import type { ScannedTable } from '@draftshelf/csv/dialect';
import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import { createNoTableError, findTable, toScannedTable } from '@draftshelf/reading/choose-table';
import type { Db } from '../connection/database.ts';
import { findValue } from '../connection/query-rows.ts';
import { storableJson } from '../connection/storable-json.ts';

/** Stores the tables in an import's file, in place of earlier tables, and a notice about the file's pictures. */
export async function storeFileTables(
  db: Db,
  importId: string,
  tables: FileTable[],
  picturesNotice?: string | null,
): Promise<void> {
  const notice = picturesNotice === undefined ? {} : { pictures_notice: picturesNotice };
  const stored = { tables: storableJson(tables), ...notice };
  await db
    .insertInto('file_tables')
    .values({ import_id: importId, ...stored })
    .onConflict((conflict) => conflict.column('import_id').doUpdateSet(stored))
    .execute();
}

/** Reads the tables in the file of an import. Empty if the file itself is the list. */
export async function readFileTables(db: Db, importId: string): Promise<FileTable[]> {
  const tables = await findValue<FileTable[]>(db)`
    select tables from file_tables where import_id = ${importId}`;
  return tables ?? [];
}

/** Returns a sentence that says why some pictures of an import's file are not extracted. Null if all are extracted. */
export const readPicturesNotice = (db: Db, importId: string) =>
  findValue<string>(db)`select pictures_notice from file_tables where import_id = ${importId}`;

export async function findTableByName(
  db: Db,
  importId: string,
  name: string,
): Promise<ScannedTable | string> {
  const tables = await readFileTables(db, importId);
  if (tables.length === 0) return 'The file is neither a workbook nor an archive.';
  const table = findTable(tables, name);
  return table ? toScannedTable(table) : createNoTableError(tables, name).message;
}
