import { type FolderKind, folderKinds } from '@draftshelf/domain/folders/folders';
import {
  type FolderSummary,
  folderSummaryActivity,
  refusedFilesActivity,
} from '@draftshelf/domain/imports/activity';
import { sql } from 'kysely';
import { readSettings } from '../access/settings.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { findRow, queryRows } from '../connection/query-rows.ts';
import { recordFolderEvent, singleEntryFilesMax } from '../imports/record-event.ts';

/** Minutes after which files are summarized even if the slowest ones are not read yet. */
const minutesMax = 30;
const namesMax = 3;

/**
 * Summarizes a folder's new files in one line of the activity, once all are read and full auto has pushed them, or
 * after 30 minutes. Refused files get a separate line. Without Notify on Completion, a few files get no summary,
 * because each import has its own line. Call it in a transaction that only one process runs at a time.
 */
export async function summarizeFolders(db: Db): Promise<void> {
  const open = await listUnsummarizedFolders(db);
  if (open.length === 0) return;
  const { notifyOnCompletion } = await readSettings(db);
  for (const folder of folderKinds) {
    const has = (what: string) => open.some((one) => one.source === folder && one.what === what);
    if (has('imports')) await summarizeImports(db, folder, notifyOnCompletion);
    if (has('files')) await summarizeRefused(db, folder);
  }
}

/** Lists folders with imports or refused files that are not in the activity yet. */
export const listUnsummarizedFolders = (db: Db) =>
  queryRows<{ source: FolderKind; what: 'imports' | 'files' }>(db)`${prepared}
    select distinct source, 'imports' as what from imports where source <> 'upload' and not summarized
    union all
    select distinct kind, 'files' from watched_files join watch_sources on watch_sources.id = watched_files.source
    where watched_files.state = 'refused' and not summarized`;

const isTaking = (folder: FolderKind) => sql<boolean>`exists (
  select 1 from watched_files join watch_sources on watch_sources.id = watched_files.source
    and watch_sources.place_key = watched_files.place_key
  where watch_sources.kind = ${folder} and watched_files.state in ('settling', 'waiting', 'taking'))`;

const isOld = (column: string) =>
  sql<boolean>`coalesce(min(${sql.ref(column)}) < now() - ${sql.lit(minutesMax)} * interval '1 minute', false)`;

async function summarizeImports(db: Db, folder: FolderKind, notifies: boolean): Promise<void> {
  const found = await findRow<FolderSummary & { ids: string[]; complete: boolean }>(db)`
    select array_agg(id) as ids, count(*)::int as files,
      (count(*) filter (where status = 'processed'))::int as ready,
      (count(*) filter (where status = 'queued'))::int as "needReview",
      (count(*) filter (where status = 'failed'))::int as failed,
      (count(*) filter (where status in ('processing', 'uploading', 'paused')))::int as running,
      coalesce(sum(created), 0)::int as drafts,
      ${isOld('created_at')} or not (${isTaking(folder)} or bool_or(status in ('processing', 'uploading') or
        auto_mode = 'full-auto' and auto_held is null and push_run = 0 and status in ('processed', 'queued')))
        as complete
    from imports where source = ${folder} and not summarized`;
  if (!found || found.files === 0 || !found.complete) return;
  await sql`update imports set summarized = true where id = any(${found.ids}::uuid[])`.execute(db);
  if (notifies || found.files > singleEntryFilesMax)
    await recordFolderEvent(db, folderSummaryActivity(folder, found));
}

async function summarizeRefused(db: Db, folder: FolderKind): Promise<void> {
  const ofFolder = sql`watched_files.state = 'refused' and not watched_files.summarized
    and watched_files.source = (select id from watch_sources where kind = ${folder})`;
  const found = await findRow<{ ids: number[]; names: string[]; reason: string | null; complete: boolean }>(
    db,
  )`
    select array_agg(id order by id) as ids, (array_agg(name order by id))[1:${sql.lit(namesMax)}] as names,
      min(reason) as reason, ${isOld('changed_at')} or not ${isTaking(folder)} as complete
    from watched_files where ${ofFolder}`;
  if (!found?.ids || !found.complete) return;
  await sql`update watched_files set summarized = true where id = any(${found.ids}::bigint[])`.execute(db);
  const { names, reason } = found;
  await recordFolderEvent(
    db,
    refusedFilesActivity(folder, { names, files: found.ids.length, reason: reason ?? '' }),
  );
}
