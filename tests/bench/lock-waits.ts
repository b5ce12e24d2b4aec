import type { OpenDatabase } from '@draftshelf/core/connection/database';

/** Locks of an import that others wait for, as `lockImport` and `lockRows` take them. */
export type LockName = 'import' | 'rows';

const locking: Record<LockName, string> = {
  import: 'perform 1 from imports where imports.id = import_id for no key update;',
  rows: `perform pg_advisory_xact_lock(hashtext('draftshelf rows'), hashtext(import_id::text));`,
};

/** Adds functions that take a lock and return the milliseconds until they had it. */
export async function addLockClocks({ pool }: OpenDatabase): Promise<void> {
  for (const [name, statement] of Object.entries(locking)) {
    await pool.query(`
      create function bench_lock_${name}(import_id uuid) returns float8 language plpgsql as $$
      declare
        asked timestamptz := clock_timestamp();
      begin
        ${statement}
        return 1000 * extract(epoch from clock_timestamp() - asked);
      end $$`);
  }
}

/**
 * Takes a lock in a transaction of one statement. Returns how long Postgres waited for it, without the delays of this
 * process and of its connection.
 */
export async function waitForLock({ pool }: OpenDatabase, name: LockName, importId: string): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(`select bench_lock_${name}($1) as ms`, [importId]);
  return rows[0]?.ms ?? 0;
}
