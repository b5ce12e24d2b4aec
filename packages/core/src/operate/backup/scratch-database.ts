import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type OpenDatabase, openDatabase } from '../../connection/database.ts';
import { queryValue, queryValues } from '../../connection/query-rows.ts';
import type { Schema } from '../../connection/schema.ts';

const prefix = 'draftshelf_check_';
const scratchName = /^draftshelf_check_[a-z]{12}$/;
const letters = 'abcdefghijklmnopqrstuvwxyz';

export const canCreateDatabases = ({ db }: Pick<OpenDatabase, 'db'>) =>
  queryValue<boolean>(db)`
    select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user`;

/** Runs `work` on a new, empty database of the same server, then drops it. Also drops databases of killed runs. */
export async function withScratchDatabase<Result>(
  live: Pick<OpenDatabase, 'db'>,
  url: string,
  work: (scratch: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const of = await currentDatabase(live.db);
  for (const name of await listScratchDatabases(live.db, of)) await dropScratchDatabase(live.db, name);
  const name = prefix + Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('');
  await sql`create database ${sql.id(name)} template template0`.execute(live.db);
  try {
    await sql`comment on database ${sql.id(name)} is ${sql.lit(noteOf(of))}`.execute(live.db);
    const address = new URL(url);
    address.pathname = `/${name}`;
    const scratch = openDatabase({
      ...{ connectionString: address.href, applicationName: 'draftshelf-check', poolMax: 2 },
    });
    try {
      // A pooler or an option of the URL may lead to another database.
      const reached = await currentDatabase(scratch.db);
      if (reached !== name) throw new Error(`The address of the scratch database opens ${reached} instead.`);
      return await work(scratch);
    } finally {
      await scratch.close();
    }
  } finally {
    await dropScratchDatabase(live.db, name);
  }
}

/** Drops a scratch database. Throws for any other name, and for the database of this connection. */
export async function dropScratchDatabase(db: Kysely<Schema>, name: string): Promise<void> {
  await db.connection().execute(async (one) => {
    if (!scratchName.test(name) || name === (await currentDatabase(one))) {
      throw new Error(`${name} is not a scratch database, and is not dropped.`);
    }
    await sql`drop database if exists ${sql.id(name)} with (force)`.execute(one);
  });
}

const currentDatabase = (db: Kysely<Schema>) => queryValue<string>(db)`select current_database() as name`;

/** Comment of a scratch database. Names the live database, because other installations may use the same server. */
const noteOf = (of: string) => `A backup of ${of} is tried here.`;

const listScratchDatabases = (db: Kysely<Schema>, of: string) =>
  queryValues<string>(db)`
    select datname as name from pg_database
    where starts_with(datname, ${prefix}) and shobj_description(oid, 'pg_database') = ${noteOf(of)}`;
