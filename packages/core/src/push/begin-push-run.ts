import type { ImportEvent } from '@draftshelf/domain/imports/activity';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { type ImportChanges, moveLocked, noFailure } from '../imports/imports.ts';
import { enqueueFinalize } from '../work/chunks.ts';
import { stopPreview } from './previews/begin-preview.ts';
import { insertPushRun, type NewPushRun } from './push-run.ts';

/** Moves a locked import to its next push run, whose chunks are stored. */
export async function beginPushRun(
  db: Db,
  record: ImportRecord,
  started: NewPushRun,
  {
    chunks,
    products,
    event,
    set,
  }: { chunks: number; products: number; event: ImportEvent; set: ImportChanges },
): Promise<ImportRecord> {
  const run = record.push_run + 1;
  const moved = await moveLocked(db, record, {
    to: 'uploading',
    event,
    set: {
      ...{ stage: 'push', push_run: run, open_chunks: chunks, push_total: products, push_done: 0 },
      ...{ auto_push_at: null, auto_held: null, ...noFailure, started_at: sql`now()`, ...set },
    },
  });
  await stopPreview(db, record.id, 'push');
  await insertPushRun(db, { import_id: record.id, run }, started);
  if (chunks === 0) await enqueueFinalize(db, { import_id: record.id, stage: 'push', run });
  return moved;
}
