import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/**
 * Waits for other transactions that begin an import of the same content from a folder, and makes them wait until this
 * one ends: two names with the same bytes would not see each other else.
 */
export async function lockContent(db: Db, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('folder content'), hashtext(${sha256}))`.execute(db);
}

/**
 * The latest import of the same bytes that is neither a test nor cancelled nor failed. One that came from `path` counts
 * only while none of other bytes came from there after it: a path that has its earlier content again has changed.
 */
export async function findArrived(
  db: Db,
  { sha256, source, path }: { sha256: string; source: FolderKind; path: string },
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    with arrived as (
      select id, sha256, created_at, source = ${source} and source_path = ${path} as "isHere" from imports
      where (sha256 = ${sha256} or (source = ${source} and source <> 'upload' and source_path = ${path}))
        and not test_mode and status not in ('cancelled','failed')
    )
    select id from arrived
    where sha256 = ${sha256} and not ("isHere" and exists (
      select 1 from arrived newer where newer."isHere" and newer.sha256 <> ${sha256}
        and newer.created_at > arrived.created_at
    ))
    order by created_at desc limit 1`.execute(db);
  return rows[0];
}
