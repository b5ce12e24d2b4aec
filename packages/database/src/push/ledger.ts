import type { Insertable } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { LedgerTable } from '../schema.ts';

export type LedgerEntry = Insertable<LedgerTable>;

/** Writes entries to the ledger, the record of every effect on the store. One of a push names import, product and run. */
export async function insertLedgerEntries(db: Db, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db.insertInto('ledger').values(entries).execute();
}
