import { type Kysely, sql } from 'kysely';
import { isCancelledStatement } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';

/** Fewer removed rows are left to autovacuum, which looks once a minute. */
const vacuumedFromRows = 20_000;
/** A vacuum that takes longer is left to autovacuum, too. */
const vacuumMsMax = 60_000;

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
  await sql`set statement_timeout = ${sql.lit(vacuumMsMax)}`.execute(db);
  try {
    for (const table of tables) {
      await sql`vacuum (skip_locked, truncate off) ${sql.table(table)}`.execute(db);
    }
  } catch (error) {
    if (!isCancelledStatement(error)) throw error;
  } finally {
    await sql`reset statement_timeout`.execute(db);
  }
}
