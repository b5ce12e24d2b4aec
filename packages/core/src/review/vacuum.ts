import { type Kysely, sql } from 'kysely';
import { isCancelledStatement } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';

/** Fewer removed rows are left to autovacuum, which looks once a minute. */
const vacuumedFromRows = 20_000;
/** Longer work is left to autovacuum too. */
const vacuumMsMax = 60_000;
/** Smaller tables are read fast by any plan. */
const analyzedFromBytes = 1_000_000;
/** Growth of a table after which its statistics say nothing about it. */
const grownTimes = 5;

/**
 * Makes the space of removed rows usable at once. Waits for no lock, and returns no space to the disk, which would need
 * a lock that blocks everybody. Call it on a pinned connection, outside of a transaction.
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
 * Analyzes tables that have grown many times since their last statistics: autovacuum takes up to a minute. Before
 * Postgres 17 only owners may. Call it on a pinned connection, outside of a transaction.
 */
export async function analyzeGrown(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and pg_relation_size(oid) >= greatest(${sql.lit(analyzedFromBytes)},
        relpages * current_setting('block_size')::bigint * ${sql.lit(grownTimes)})`.execute(db);
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
