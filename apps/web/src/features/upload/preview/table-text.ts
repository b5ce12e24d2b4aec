import type { ScannedTable } from '@draftshelf/csv/dialect';
import { fileBytesMaxDefault, readLimitsDefault } from '@draftshelf/csv/limits';
import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import { chooseTable } from '@draftshelf/reading/choose-table';
import { toBlobSource } from '@draftshelf/workbooks/byte-source';
import { openContainer } from '@draftshelf/workbooks/open-container';

export type TableText = {
  table: ScannedTable;
  tables: FileTable[];
  pieces(): AsyncIterable<Uint8Array<ArrayBuffer>>;
};

/** Opens a file's table with this name, else the table that the server would choose. Throws ContainerError. */
export async function openTable(file: File, name: string | undefined): Promise<TableText> {
  const { columnsMax, cellBytesMax } = readLimitsDefault;
  // The server's limit may be above the default. Larger files were refused before this, so no limit is needed here.
  const fileBytesMax = Math.max(fileBytesMaxDefault, file.size);
  const sizes = { columnsMax, cellBytesMax, fileBytesMax, archiveBytesMax: fileBytesMax };
  const container = await openContainer(toBlobSource(file), sizes);
  const { table, tables } = await chooseTable(container, { limits: readLimitsDefault, name });
  return { table, tables, pieces: () => container.read(table.n) };
}
