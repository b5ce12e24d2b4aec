import type { Kysely } from 'kysely';
import type { Schema } from '../connection/schema.ts';
import type { ActionRefused } from '../imports/action-result.ts';
import { renewLists } from './count-rows.ts';
import * as suppliers from './suppliers.ts';

/** Renames a supplier, unless it is not called `from` any more, or another one is called so, in any case. */
export async function renameSupplier(
  db: Kysely<Schema>,
  id: number,
  { name, from }: { name: string; from: string },
): Promise<{ ok: true } | ActionRefused> {
  const refusal = await db.transaction().execute(async (trx) => {
    await suppliers.lockNewSuppliers(trx);
    const supplier = await suppliers.lockSupplier(trx, id);
    if (!supplier) return 'This supplier was deleted.';
    if (supplier.name !== from) return `This supplier is called ${supplier.name} now.`;
    const known = await suppliers.findSupplier(trx, { name });
    if (known && known.id !== id) return `There is a supplier ${known.name} already.`;
    await suppliers.renameSupplier(trx, id, name);
    return null;
  });
  if (refusal !== null) return { ok: false, reason: refusal };
  // Not with the supplier locked: imports are locked before their supplier.
  await renewLists(db, id);
  return { ok: true };
}
