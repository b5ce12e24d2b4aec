import { type Kysely, sql } from 'kysely';
import { isCancelledStatement } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';

/** Fewer removed rows are left to autovacuum, which looks once a minute. */
const vacuumedFromRows = 20_000;
/** What takes longer is left to autovacuum, too. */
const vacuumMsMax = 60_000;
/** Smaller tables are read fast by any plan. */
const analyzedFromBytes = 1_000_000;
/** How often a table holds what it held at its last statistics, before they say nothing about it. */
const grownTimes = 5;

/**
 * Makes the space of removed rows usable for the next ones at once. Waits for no lock, and gives nothing back to the
 * disk, which would need one that everybody waits for. Call it on a pinned connection, outside of a transaction.
 */
export async function vacuumRemoved(
  db: Kysely<Schema>,
  removed: number,
  tables: readonly (keyof Schema)[],
): Promise<void> {
  if (removed < vacuumedFromRows) return;
  await unlessLong(db, async () => {
    for (const table of tables) {
      await sql`vacuum (skip_locked, truncate off) ${sql.table(table)}`.execute(db);
    }
  });
}

/**
 * Analyzes tables that are many times larger than when that was last done, as after the first large file of an
 * installation. Autovacuum does it up to a minute later, and until then joins are planned as if the tables were small.
 * Before Postgres 17 only owners may, so it is left to autovacuum. Call it on a pinned connection, outside of a
 * transaction.
 */
export async function analyzeGrown(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) >=
      greatest(${sql.lit(analyzedFromBytes)}, relpages * current_setting('block_size')::bigint * ${sql.lit(grownTimes)})`.execute(
    db,
  );
  if (rows.length === 0) return;
  await unlessLong(db, async () => {
    for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db);
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
