import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTasks, enqueueTask, hasOpenTask } from '../../work/tasks.ts';
import { listPictures } from '../file-pictures.ts';

type Pictured = Pick<ImportRecord, 'id' | 'rows_run' | 'status' | 'pictures'>;

/** Enqueues the matching of pictures, unless 'take-pictures' is open: that task enqueues the matching at its end. */
export async function enqueueMatching(db: Db, record: Pictured): Promise<void> {
  if (record.pictures === 0 || (await hasOpenTask(db, record.id, 'take-pictures'))) return;
  await dropTasks(db, record.id, ['match-pictures']);
  await enqueueTask(db, currentRows(record), 'match-pictures');
}

/** Enqueues the matching that was skipped because of a re-read. Call it when the re-read is rolled back. */
export async function enqueueMissedMatching(db: Db, record: Pictured): Promise<void> {
  if (record.pictures === 0) return;
  const [missed] = await listPictures(db, currentRows(record), { state: 'waiting', after: 0, limit: 1 });
  if (missed) await enqueueMatching(db, record);
}
