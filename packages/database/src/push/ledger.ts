import type { Insertable } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { LedgerTable } from '../schema.ts';

/** An effect of a push. */
export type PushEntry = Omit<Insertable<LedgerTable>, 'origin'> & {
  import_id: string;
  product: number;
  run: number;
};

/** Writes one entry of a push to the ledger, the record of every effect on the store. */
export async function insertLedgerEntry(db: Db, entry: PushEntry): Promise<void> {
  await db
    .insertInto('ledger')
    .values({ ...entry, origin: 'push' })
    .execute();
}
