import { type Preferences, type RetentionName, retentionNames } from '@draftshelf/domain/access/preferences';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { type RawBuilder, sql } from 'kysely';
import type { Db, OpenDatabase } from '../connection/database.ts';
import { hasRows, queryValues } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { abandonAsking } from '../enrich/ai/end-asking-task.ts';
import { changeImport, lockImport } from '../imports/imports.ts';
import { recordUpload } from '../imports/uploads.ts';
import { clearCorrectionsKeys } from '../review/corrections/corrections.ts';
import { findBlockingReason } from '../work/blocking.ts';
import { currentRows } from '../work/runs.ts';
import { dropReplacedTasks, enqueueTask } from '../work/tasks.ts';

/** Days of retention. Null: kept for ever. */
export type RetentionDays = Pick<Preferences, RetentionName>;

/** Wait before rows are removed, so that running downloads can end. New downloads are refused at once. */
const downloadMsMax = 10 * 60_000;

const begin: Record<RetentionName, (db: Db, record: ImportRecord) => Promise<void>> = {
  keepRowsDays: beginRowRemoval,
  keepFilesDays: removeFile,
};

/** Begins to remove expired rows and files. Locks and checks each import again. Returns the number of removals. */
export async function beginExpiredRemovals(
  { db }: Pick<OpenDatabase, 'db'>,
  retention: RetentionDays,
): Promise<number> {
  let begun = await forgetOldFiles(db);
  for (const name of retentionNames) {
    const days = retention[name];
    if (days === null) continue;
    for (const id of await listDue(db, name, days)) {
      begun += await db.transaction().execute(async (trx) => {
        const record = await lockImport(trx, id);
        if (!record || !(await isDue(trx, name, days, id))) return 0;
        if ((await findBlockingReason(trx, record, 'delete')) !== undefined) return 0;
        await begin[name](trx, record);
        return 1;
      });
    }
  }
  return begun;
}

/** Forgets old files of corrections. A day later, the sweep of left-over objects removes the files themselves. */
const forgetOldFiles = (db: OpenDatabase['db']): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const keys = await clearCorrectionsKeys(trx, 'old');
    for (const key of keys) await recordUpload(trx, key);
    return keys.length;
  });

async function beginRowRemoval(db: Db, record: ImportRecord): Promise<void> {
  const rows = currentRows(record);
  await abandonAsking(db, record.id, 'The rows were removed to save space, so asking AI was stopped.');
  await dropReplacedTasks(db, record.id);
  await changeImport(db, record.id, { rows_removed_at: sql`now()` });
  const wait = { cause: 'Downloads of the rows may still be running.', ms: downloadMsMax };
  await enqueueTask(db, rows, 'retire-rows', record.total_rows, { wait });
}

/** Marks a file as removed. A day later, the sweep of left-over objects removes the file itself. */
async function removeFile(db: Db, record: ImportRecord): Promise<void> {
  await changeImport(db, record.id, { file_removed_at: sql`now()` });
  await recordUpload(db, record.object_key);
}

/** Imports per sweep. Later sweeps remove the next ones. */
const dueMax = 20;

const hasEndedBefore = (days: number) => sql`status = any(${finalStatuses}::text[])
  and coalesce(completed_at, created_at) < now() - ${days} * interval '1 day'`;

/** `keepRowsDays` skips failed pushes that sent products: a retry needs the rows, because a re-read is not allowed. */
const conditions: Record<RetentionName, (days: number) => RawBuilder<boolean>> = {
  keepRowsDays: (days) => sql`(
    rows_removed_at is null and ${hasEndedBefore(days)}
    and (status <> 'failed' or failed_in is distinct from 'push' or skipped + failed = total_products))`,
  keepFilesDays: (days) => sql`(file_removed_at is null and ${hasEndedBefore(days)})`,
};

const listDue = (db: Db, name: RetentionName, days: number) =>
  queryValues<string>(db)`
    select id from import_records where ${conditions[name](days)} and deletion_began_at is null
    order by created_at limit ${dueMax}`;

/** Whether an import is due for removal. The caller has locked the import. */
const isDue = (db: Db, name: RetentionName, days: number, id: string) =>
  hasRows(db)`
    select id from import_records where id = ${id} and ${conditions[name](days)}`;
