import type { OpenDatabase } from '../connection/database.ts';
import { createScramVerifier } from '../connection/scram-verifier.ts';

/** Rights of api and workers on rows. They change no table, so they need to own none. */
const grants = [
  'grant usage on schema public to %1$I',
  'grant select, insert, update, delete on all tables in schema public to %1$I',
  'grant usage, select, update on all sequences in schema public to %1$I',
  'grant execute on all functions in schema public to %1$I',
  // A process that has waited for a migration works as soon as it is applied.
  'alter default privileges in schema public grant select, insert, update, delete on tables to %1$I',
  'alter default privileges in schema public grant usage, select, update on sequences to %1$I',
  // BullMQ makes a schema of its own, if the jobs are in Postgres.
  'grant create on database %2$I to %1$I',
];

/** Vacuum after the removal of old rows. Before Postgres 17 only owners may, so it is left to autovacuum. */
const grantsFrom17 = [
  'grant maintain on all tables in schema public to %1$I',
  'alter default privileges in schema public grant maintain on tables to %1$I',
];

/** Kysely's own records of the migrations. */
const ownersTables = ['kysely_migration', 'kysely_migration_lock'];

/**
 * Gives the role of `appUrl`, a connection string to the same database, the rights that api and workers need. All of
 * them use this one role, because a claim may end only backends of its own role. Creates the role and sets its password
 * if the owner may do that. Otherwise the role must exist, with its password.
 *
 * @returns the role's name; null if it is the owner itself
 * @throws Error if the role does not exist and the owner may not create it
 */
export async function grantToAppRole(
  { pool }: Pick<OpenDatabase, 'pool'>,
  appUrl: string,
): Promise<string | null> {
  const { username, password } = new URL(appUrl);
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const client = await pool.connect();
  /** Roles, passwords and identifiers cannot be parameters, so Postgres writes the statement. */
  const run = async (pattern: string, ...values: string[]) => {
    const { rows } = await client.query<{ text: string }>(`select format($1, variadic $2::text[]) as text`, [
      pattern,
      values,
    ]);
    await client.query(rows[0]?.text ?? '');
  };
  try {
    const { rows } = await client.query<{
      owner: string;
      database: string;
      creates: boolean;
      manages: boolean;
      there: boolean;
      jobsOf: string | null;
      version: number;
    }>(
      `select current_user as owner, current_database() as database,
         (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as creates,
         (select rolsuper from pg_roles where rolname = current_user) or exists (
           select from pg_auth_members join pg_roles on pg_roles.oid = roleid
           where rolname = $1 and member = current_user::regrole and admin_option) as manages,
         exists (select from pg_roles where rolname = $1) as there,
         (select nspowner::regrole::text from pg_namespace where nspname = 'bullmq') as "jobsOf",
         current_setting('server_version_num')::int as version`,
      [name],
    );
    const [now] = rows;
    if (now === undefined || now.owner === name) return null;
    if (!now.there && !now.creates) {
      throw new Error(`The role ${name} does not exist, and ${now.owner} may not create it.`);
    }
    await client.query('begin');
    if (!now.there) await run('create role %I login', name);
    // Without a password in the address, the role signs in by a certificate or the like.
    const setsPassword = secret !== '' && (now.manages || !now.there);
    if (setsPassword) await run('alter role %I login password %L', name, createScramVerifier(secret));
    const given = now.version >= 170_000 ? [...grants, ...grantsFrom17] : grants;
    for (const grant of given) await run(grant, name, now.database);
    for (const table of ownersTables)
      await run('revoke insert, update, delete on %2$I from %1$I', name, table);
    // BullMQ changes its own tables at each start. The jobs themselves are published again.
    if (now.jobsOf === now.owner) await client.query('drop schema bullmq cascade');
    await client.query('commit');
    return name;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
