import type { Stack } from '../support/stack.ts';

/** Keeps whoever executes a statement waiting behind it, until it is released. */
export type Hold = {
  isWaiting(): Promise<boolean>;
  release(): Promise<void>;
};

/** The space of the advisory locks that are waited for; the product uses others. */
const holdSpace = 4_711;

/**
 * Prepares holds in Postgres, by name. `statements`: after which one each waits, as a trigger says it. Work is held in
 * its middle that way: it is as it is, and waits for a lock. The test's own statements do not wait. Returns the
 * function that begins a hold.
 */
export async function installHolds<Name extends string>(
  { database: { pool } }: Pick<Stack, 'database'>,
  statements: Record<Name, string>,
): Promise<(name: Name) => Promise<Hold>> {
  const names = Object.keys(statements) as Name[];
  const triggers = names.map(
    (name, at) => `
      create trigger held_${at} after ${statements[name]}
      execute function wait_while_held('${at}')`,
  );
  // A file before may have had the same processes and their database.
  await pool.query(`
    drop function if exists wait_while_held cascade;
    create function wait_while_held() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') <> 'draftshelf-test' then
        perform pg_advisory_xact_lock_shared(${holdSpace}, tg_argv[0]::int);
      end if;
      return null;
    end $$;
    ${triggers.join(';')}`);
  return async (name) => {
    const at = names.indexOf(name);
    const client = await pool.connect();
    let isReleased = false;
    client.on('error', () => {});
    await client.query('select pg_advisory_lock($1, $2)', [holdSpace, at]);
    return {
      async isWaiting() {
        const { rowCount } = await pool.query(
          `select from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and not granted`,
          [holdSpace, at],
        );
        return rowCount !== null && rowCount > 0;
      },
      // The connection ends with its lock, also when Postgres is not there.
      async release() {
        if (!isReleased) client.release(true);
        isReleased = true;
      },
    };
  };
}
