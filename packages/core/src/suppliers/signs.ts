import type { SupplierSign } from '@draftshelf/domain/suppliers/propose-supplier';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { unnestRows } from '../connection/unnest-rows.ts';

const signTypes = { kind: 'text', value: 'text' } as const;

/** Counts the signs of a new list of a supplier. */
export async function addSigns(db: Db, supplier: number, signs: readonly SupplierSign[]): Promise<void> {
  if (signs.length === 0) return;
  await sql`
    insert into supplier_signs (supplier, kind, value) select ${supplier}, kind, value
    from ${unnestRows('given', signs, signTypes)}
    on conflict (kind, value, supplier) do update
      set lists = supplier_signs.lists + 1, last_at = excluded.last_at`.execute(db);
}

/** Takes back the signs of a list that is no longer this supplier's. */
export async function removeSigns(db: Db, supplier: number, signs: readonly SupplierSign[]): Promise<void> {
  if (signs.length === 0) return;
  const isGiven = sql<boolean>`supplier = ${supplier} and (kind, value) in (
    select kind, value from ${unnestRows('given', signs, signTypes)})`;
  await db.deleteFrom('supplier_signs').where(isGiven).where('lists', '<=', 1).execute();
  await db.updateTable('supplier_signs').set({ lists: sql`lists - 1` }).where(isGiven).execute();
}
