import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTasks, enqueueTask, hasOpenTask } from '../../work/tasks.ts';
import { listPictures } from '../file-pictures.ts';

type Pictured = Pick<ImportRecord, 'id' | 'rows_run' | 'status' | 'pictures'>;

/**
 * Enqueues the matching of an import's pictures with its current rows, unless they are still being taken out of the
 * file: that ends with it. The caller has locked the import.
 */
export async function enqueueMatching(db: Db, record: Pictured): Promise<void> {
  if (record.pictures === 0 || (await hasOpenTask(db, record.id, 'take-pictures'))) return;
  await dropTasks(db, record.id, ['match-pictures']);
  await enqueueTask(db, currentRows(record), 'match-pictures');
}

/**
 * Enqueues the matching of an import whose re-read was rolled back, if its pictures were not matched with the rows that
 * are kept: they were still being taken out of the file when the re-read began.
 */
export async function enqueueMissedMatching(db: Db, record: Pictured): Promise<void> {
  if (record.pictures === 0) return;
  const [missed] = await listPictures(db, currentRows(record), { state: 'waiting', after: 0, limit: 1 });
  if (missed) await enqueueMatching(db, record);
}
