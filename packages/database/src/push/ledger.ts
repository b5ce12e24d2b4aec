import type { Insertable } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { LedgerTable } from '../schema.ts';

/** Writes one line of the record of every effect on the store. */
export async function insertLedgerLine(db: Db, line: Insertable<LedgerTable>): Promise<void> {
  await db.insertInto('ledger').values(line).execute();
}
