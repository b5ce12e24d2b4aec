import { type Kysely, sql } from 'kysely';
import { isCancelledStatement } from '../connection/database.ts';
import { queryValue, queryValues } from '../connection/query-rows.ts';
import type { Schema } from '../connection/schema.ts';

/** A growing table is vacuumed if at least this share of its rows is dead. */
const deadShare = 0.2;
/** A table is vacuumed only if it has this many dead rows. Autovacuum takes care of fewer. */
const deadFrom = 2_000;
/** If a table has grown by this share since its last vacuum, it lacks free space. */
const grownShare = 0.02;
/** Time limit of a vacuum or an analysis in milliseconds. Longer work is left to autovacuum. */
const vacuumMsMax = 60_000;
/** Tables below this size are not analyzed, because any plan reads them fast. */
const analyzedFromBytes = 1_000_000;
/** If a table has grown by this factor since its last analysis, its statistics are useless. */
const grownTimes = 5;

/**
 * Frees the space of old row versions for the next parts of a bulk change, once the table `rows` grows for lack of
 * space. Autovacuum starts once a minute; by then, a change of 200,000 rows has doubled the table. Call it on a pinned
 * connection, outside of a transaction, after each part. Before Postgres 17, only the owner may vacuum a table.
 */
export async function vacuumGrownTables(db: Kysely<Schema>): Promise<void> {
  // Without this statement, Postgres may count the dead rows up to a second late.
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const isDue = await queryValue<boolean>(db)`
    select pg_stat_get_dead_tuples(oid)
        >= greatest(${sql.lit(deadFrom)}, ${sql.lit(deadShare)} * pg_stat_get_live_tuples(oid))
      and pg_relation_size(oid)
        >= relpages * current_setting('block_size')::bigint * ${sql.lit(1 + grownShare)}
      and case when current_setting('server_version_num')::int < 170000 then pg_has_role(relowner, 'usage')
        else has_table_privilege(oid, 'maintain') end as "isDue"
    from pg_class where oid = 'rows'::regclass`;
  if (!isDue) return;
  // Parallel workers would take CPU time from requests.
  await unlessLong(db, async () => {
    await sql`vacuum (skip_locked, truncate off, parallel 0) rows`.execute(db);
  });
}

/**
 * Analyzes tables that have grown many times since their last statistics, because autovacuum takes up to a minute.
 * Before Postgres 17, only the owner may analyze. Call it on a pinned connection, outside of a transaction.
 */
export async function analyzeGrownTables(db: Kysely<Schema>): Promise<void> {
  const names = await queryValues<string>(db)`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and pg_relation_size(oid) >= greatest(${sql.lit(analyzedFromBytes)},
        relpages * current_setting('block_size')::bigint * ${sql.lit(grownTimes)})`;
  if (names.length === 0) return;
  await unlessLong(db, async () => {
    for (const name of names) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db);
  });
}

async function unlessLong(db: Kysely<Schema>, run: () => Promise<void>): Promise<void> {
  await sql`set statement_timeout = ${sql.lit(vacuumMsMax)}`.execute(db);
  try {
    await run();
  } catch (error) {
    if (!isCancelledStatement(error)) throw error;
  } finally {
    await sql`reset statement_timeout`.execute(db);
  }
}
