import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';

/** Tables that a backup leaves out, with the reasons. All other tables are copied, also those of later migrations. */
export const excludedTables: Readonly<Record<string, string>> = {
  kysely_migration: 'a restore applies the migrations that the manifest names',
  kysely_migration_lock: 'written by the migrations',
  processes: 'the processes that ran; each one writes its row when it starts',
  sessions: 'everybody signs in again after a restore',
  health_counts: 'what processes counted in the last hour',
  conditions: 'what is wrong is found again after a restore',
  disk_samples: 'free space of a disk that is not that of the restored installation',
  login_failures: 'locks of addresses, which last 15 minutes',
  sign_ins: 'sign-ins to OneDrive under way; their codes last 15 minutes',
  store_budgets: 'what the store allows at the moment; measured by the first call',
  stamp_reads: 'reads of the store that are used for a minute',
  uploads: 'files that were being stored; they are not in the backup',
};

/** Tables that backups of earlier versions leave out, and that migrations have since dropped. */
export const formerlyExcludedTables: readonly string[] = [
  'tasks',
  'row_texts',
  'row_text_signs',
  'row_orders',
  'row_order_keys',
  'row_order_blocks',
];

/** SQL condition on pg_class: a relation belongs to Draftshelf and not to an extension of Postgres. */
export const isOurRelation = sql`relnamespace = current_schema()::regnamespace and not exists (
  select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`;

/** A table and its columns, without generated columns. */
export type CopiedTable = { name: string; columns: string[] };

/** Lists the tables that a backup of this database contains. Tables of extensions are left out. */
export async function listCopiedTables(db: Db): Promise<CopiedTable[]> {
  const tables = await listTables(db);
  return tables.filter(({ name }) => !Object.hasOwn(excludedTables, name));
}

/** Lists all tables of Draftshelf, by name. */
export const listTables = (db: Db) =>
  queryRows<CopiedTable>(db)`
    select pg_class.relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where ${isOurRelation} and relkind in ('r', 'p') and attnum > 0 and not attisdropped and attgenerated = ''
    group by pg_class.relname order by pg_class.relname`;
