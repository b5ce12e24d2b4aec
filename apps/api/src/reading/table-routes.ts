import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { listTables } from '@draftshelf/contract/reading/tables';
import type { Db } from '@draftshelf/core/connection/database';
import type { RereadChanges } from '@draftshelf/core/reading/begin-reread';
import { findTableByName, readFileTables, readPicturesNotice } from '@draftshelf/core/reading/file-tables';
import { countEditsByTable } from '@draftshelf/core/review/commands/stored-edits';
import { invalid } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { serveImport } from '../imports/serve-import.ts';

export function serveTables(api: Api): void {
  const { db } = api;
  serveImport(api, listTables, async ({ record: { id } }) => {
    const tables = await readFileTables(db, id);
    const edits = tables.length > 1 ? await countEditsByTable(db, id) : new Map<number, number>();
    return {
      tables: tables.map(({ n, notices = null, ...table }) => ({
        ...table,
        ...{ notices, edits: edits.get(n) ?? 0 },
      })),
      picturesNotice: await readPicturesNotice(db, id),
    };
  });
}

/** Converts a dialect choice to changes of a re-read. Throws a Refusal if the file has no table of that name. */
export async function findRereadChanges(
  db: Db,
  importId: string,
  { table: name, ...dialect }: DialectChoice,
): Promise<Pick<RereadChanges, 'dialect' | 'table'>> {
  if (name === undefined) return { dialect };
  const table = await findTableByName(db, importId, name);
  if (typeof table === 'string') throw invalid(table, 'table');
  return { dialect, table };
}
