import type { Kysely } from 'kysely';
import type { Schema } from '../connection/schema.ts';
import { lockCarriedValues } from './carried-values.ts';
import { renewLists } from './count-rows.ts';
import { type ForgottenValues, forgetOwnValues, forgottenMax } from './own-values.ts';

/**
 * Forgets values that the operator has set in lists of a supplier: its next list has what the supplier says. Returns
 * how many there were.
 */
export async function forgetValues(
  db: Kysely<Schema>,
  supplier: number,
  which: ForgottenValues,
): Promise<number> {
  for (let forgotten = 0; ; ) {
    const part = await db.transaction().execute(async (trx) => {
      await lockCarriedValues(trx, [supplier]);
      return forgetOwnValues(trx, supplier, which);
    });
    forgotten += part;
    if (part < forgottenMax) {
      if (forgotten > 0) await renewLists(db, supplier);
      return forgotten;
    }
  }
}
