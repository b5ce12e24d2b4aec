import { emptyTables } from './empty-tables.ts';
import type { Fixture } from './fixture.ts';

type Db = Pick<Fixture, 'database'>;

/** Reports a running folder worker once: it counts as running for 15 s. */
export async function reportFolderWorker({ database: { pool } }: Db): Promise<void> {
  await pool.query(
    `insert into processes (id, kind, version, host, pid, slots)
     values ('00000000-0000-4000-8000-000000000001', 'folder-worker', 'test', 'test', 1, 1)
     on conflict (id) do update set seen_at = clock_timestamp()`,
  );
}

/** Reports a running folder worker until the function that is returned is called, which removes it. */
export async function keepFolderWorker(db: Db): Promise<() => Promise<void>> {
  await reportFolderWorker(db);
  const timer = setInterval(() => void reportFolderWorker(db), 5_000);
  return async () => {
    clearInterval(timer);
    await db.database.pool.query(`delete from processes where kind = 'folder-worker'`);
  };
}

/** Saves a sign-in to OneDrive. Nothing opens it. */
export async function saveSignIn({ database: { pool } }: Db): Promise<void> {
  await pool.query(
    `insert into credentials (service, key_id, sealed, origin) values ('onedrive', 'none', '\\x00', 'operator')`,
  );
}

/** Removes all watched folders with their files, settings and sign-ins. */
export async function removeFolders({ database }: Db): Promise<void> {
  const { pool } = database;
  await emptyTables(database, 'watched_files, watch_sources, sign_ins, settings');
  await pool.query(`delete from credentials where service like 'onedrive%'`);
  await pool.query(`delete from processes where kind = 'folder-worker'`);
}

/** Writes a sign-in that shows a code and is held by a process that runs. Returns its id. */
export async function writeCode({ database: { pool } }: Db, code: string): Promise<string> {
  await pool.query(
    `insert into chunks (kind, task, subject, sequence, claims, state, held_by)
     select 'task', 'sign-in', 'onedrive', -1, 1, 'published', id from processes where kind = 'api' limit 1
     on conflict (task, subject) where subject is not null
     do update set claims = 1, state = 'published', held_by = excluded.held_by`,
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into sign_ins (way, state, user_code, verification_url, expires_at, claim)
     values ('code', 'code', $1, 'https://microsoft.com/devicelogin', now() + interval '14.5 minutes', 1)
     returning id`,
    [code],
  );
  return rows[0]?.id ?? '';
}

/** Columns of a watched folder. */
export type SourceColumns = Partial<{
  place: object | null;
  place_key: string;
  state: string;
  trouble: string | null;
  trouble_kind: string | null;
  trouble_cause: string | null;
  trouble_since: Date | null;
  blocked_until: Date | null;
  baseline: string;
  account: string | null;
  can_write: boolean;
  asked_at: Date | null;
  looked_at: Date | null;
  next_look_at: Date | null;
  look: number;
  look_until: Date | null;
}>;

/** Writes the line of a watched folder, in place of the one that is there. */
export async function writeSource(
  { database: { pool } }: Db,
  kind: 'local' | 'onedrive',
  columns: SourceColumns = {},
): Promise<string> {
  const set = { place_key: 'place', place: { path: '/In' }, ...columns };
  const names = Object.keys(set);
  const { rows } = await pool.query<{ id: string }>(
    `insert into watch_sources (kind, ${names.join(', ')})
     values ($1, ${names.map((_, at) => `$${at + 2}`).join(', ')})
     on conflict (kind) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
     returning id`,
    [kind, ...Object.values(set)],
  );
  return rows[0]?.id ?? '';
}

/** Writes a version of a file of a watched folder. Returns its id. */
export async function writeFile(
  { database: { pool } }: Db,
  source: string,
  file: { name: string; state: string; reason?: string; option?: string; import_id?: string },
): Promise<number> {
  const { name, state, reason = null, option = null, import_id = null } = file;
  const { rows } = await pool.query<{ id: number }>(
    `insert into watched_files (source, place_key, file_key, version, name, bytes, state, reason, option, import_id)
     values ($1, 'place', $2, 'v1', $2, 1000, $3, $4, $5, $6) returning id`,
    [source, name, state, reason, option, import_id],
  );
  return Number(rows[0]?.id);
}
