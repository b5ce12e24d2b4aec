import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord, Schema } from '@draftshelf/database/connection/schema';
import { noteSearchUse, readSearchUse } from '@draftshelf/database/review/search/search-use';
import { currentRows } from '@draftshelf/database/work/runs';
import { enqueueTask, hasAnyOpenTask, hasTaskFailed } from '@draftshelf/database/work/tasks';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { Kysely } from 'kysely';

/**
 * Notes that an import was searched, once a day, and fills its search again if its texts were removed. Until they are
 * filled, a search reads the rows.
 */
export async function noteSearch(db: Kysely<Schema>, record: ImportRecord): Promise<void> {
  const rows = currentRows(record);
  const { searchable, noteUse } = await readSearchUse(db, rows);
  if (searchable && !noteUse) return;
  await db.transaction().execute(async (trx) => {
    if ((await noteSearchUse(trx, rows)).searchable || !(await canFill(trx, record))) return;
    await enqueueTask(trx, rows, 'fill-search', record.total_rows);
  });
}

/** While a file is read, its search is filled at the end anyway. A filling that has failed is not repeated. */
async function canFill(db: Db, record: ImportRecord): Promise<boolean> {
  if (!canDo('delete', record.status) || record.rows_removed_at !== null) return false;
  if (await hasAnyOpenTask(db, record.id, ['fill-search', 'remove-search'])) return false;
  return !(await hasTaskFailed(db, currentRows(record), 'fill-search'));
}
