import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { WatchSourceRecord } from '../connection/schema.ts';
import { isLive } from '../work/processes.ts';
import { countFiles, type FileCounts } from './shown-files.ts';
import { oneDriveService } from './sign-ins.ts';

export type StoredFolder = WatchSourceRecord & { isLooking: boolean; counts: FileCounts };

export type StoredFolders = {
  folders: StoredFolder[];
  isSignedIn: boolean;
  workers: number;
};

/** Longest time of a look. A later end, left by a clock set back, counts as past. */
const lookMsMax = 120_000;

const isLooking = sql<boolean>`coalesce(look_until > clock_timestamp()
  and look_until < clock_timestamp() + ${sql.lit(lookMsMax)} * interval '1 millisecond', false)`;

/** Reads the watched folders, the local one first. */
export async function readFolders(db: Db): Promise<StoredFolders> {
  const sources = await db
    .selectFrom('watch_sources')
    .selectAll()
    .select(isLooking.as('isLooking'))
    .orderBy('kind')
    .execute();
  const folders: StoredFolder[] = [];
  for (const source of sources) folders.push({ ...source, counts: await countFiles(db, source.kind) });
  const { rows } = await sql<Omit<StoredFolders, 'folders'>>`
    select exists (
        select 1 from credentials where service = ${oneDriveService} and replaced_at is null
      ) as "isSignedIn",
      (select count(*)::int from processes where kind = 'folder-worker' and ${isLive}) as workers`.execute(
    db,
  );
  return { folders, ...(rows[0] ?? { isSignedIn: false, workers: 0 }) };
}

export function readLook(
  db: Db,
  kind: FolderKind,
): Promise<{ look: number; isLooking: boolean } | undefined> {
  return db
    .selectFrom('watch_sources')
    .select(['look', isLooking.as('isLooking')])
    .where('kind', '=', kind)
    .executeTakeFirst();
}
