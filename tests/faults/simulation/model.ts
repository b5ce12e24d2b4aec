import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { pushImport } from '@draftshelf/core/work/import-actions';

/** `earlier` is a version of `list` with fewer products, other titles and prices; `other` has the same SKUs. */
export type Imports = { earlier: string; list: string; other: string };

/**
 * `read`: the imports are ready to be pushed; `pushed`: `earlier` was pushed; `updated`: then `list`, too; `unread`:
 * that push wrote its products, and did not read them back.
 */
export type BaseName = 'read' | 'pushed' | 'updated' | 'unread';

/** A product as the store is to have it. */
export type ModelProduct = { title: string; price: string; sku: string };

/** The products of the imports. Lines are as long in both versions of the list, so that products keep their places. */
export const listed: Record<keyof Imports, readonly ModelProduct[]> = {
  earlier: [1, 2, 3].map((n) => ({ title: `Vase ${n}`, price: `9.${n}0`, sku: `V-${n}` })),
  list: [1, 2, 3, 4, 5, 6].map((n) => ({ title: `Bowl ${n}`, price: `${n}.50`, sku: `V-${n}` })),
  other: [1, 2, 3, 4, 5, 6].map((n) => ({ title: `Lamp ${n}`, price: `3${n}.00`, sku: `V-${n}` })),
};

/** Products of a chunk, so that several chunks of a small push run at once. */
const batchSize = 3;

/** Begins a push of an import, which skips what the store has under another id. */
export async function beginPush({ db }: OpenDatabase, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const pushed = await pushImport(trx, id, batchSize, { supplier: null });
    if (!pushed.ok) throw new Error(pushed.reason);
    await setMatchChoice(trx, { import_id: id, run: pushed.import.push_run }, 'skip');
  });
}
