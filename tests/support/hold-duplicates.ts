import type pg from 'pg';

/** A lock that finalize waits for when it has looked for duplicates, once `installDuplicatesHold` has run. */
export const duplicatesLock = 'lock table held_duplicates in exclusive mode';

/** Lets finalize wait for `duplicatesLock` behind its search for duplicates, in its transaction. */
export async function installDuplicatesHold(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table if not exists held_duplicates ();
    create or replace function hold_duplicates() returns trigger language plpgsql security definer as $$
      begin lock table held_duplicates in share mode; return null; end $$;
    create or replace trigger hold_duplicates before update of shared_titles on runs
      for each statement execute function hold_duplicates()`);
}
