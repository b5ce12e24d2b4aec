import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';

/**
 * Settings of a transaction that copies tables: dates and numbers as text in one form, whatever the server's settings
 * are, and as much time as the disk needs between two tables.
 */
export async function useCopySettings(db: Db): Promise<void> {
  await sql`
    select set_config(name, value, true) from (values
      ('datestyle', 'ISO'), ('timezone', 'UTC'), ('intervalstyle', 'postgres'), ('extra_float_digits', '3'), ('bytea_output', 'hex'),
      ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'), ('maintenance_work_mem', '256MB')
    ) as settings(name, value)`.execute(db);
}
