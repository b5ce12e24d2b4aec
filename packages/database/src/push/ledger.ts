import type { Insertable } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { LedgerTable } from '../schema.ts';

/** Writes one entry of the ledger, the record of every effect on the store. */
export async function insertLedgerEntry(db: Db, entry: Insertable<LedgerTable>): Promise<void> {
  await db.insertInto('ledger').values(entry).execute();
}
