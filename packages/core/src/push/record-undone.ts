import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import { nextVersion } from '../imports/imports.ts';
import { notSending } from './sending.ts';

type Product = { shop: string; ourId: string };

/**
 * Locks the listing that an undo was decided by. True if it still has that version and nobody is sending the product,
 * or if `chunk` is sending it. `version` undefined: there was none.
 */
export async function lockListing(
  db: Db,
  { shop, ourId }: Product,
  { version, chunk }: { version: string | undefined; chunk: number },
): Promise<boolean> {
  const listing = await db
    .selectFrom('listings')
    .select(['sending_chunk', sql<boolean>`sending is not null`.as('isSending')])
    .select(sql<string>`xmin::text`.as('version'))
    .where('shop', '=', shop)
    .where('our_id', '=', ourId)
    .forUpdate()
    .executeTakeFirst();
  if (listing?.isSending) return listing.sending_chunk === chunk;
  return listing?.version === version;
}

export async function markStatesUndone(
  db: Db,
  { shop, ourId }: Product,
  { importId, pushRun }: { importId: string; pushRun: number },
): Promise<void> {
  await db
    .updateTable('pushed_states')
    .set({ undone_at: sql<Date>`clock_timestamp()` })
    .where('shop', '=', shop)
    .where('our_id', '=', ourId)
    .where('import_id', '=', importId)
    .where('run', '=', pushRun)
    .where('undone_at', 'is', null)
    .execute();
}

/** Forgets that a shop has a product of the scanner's library. First in its transaction: a save locks it first. */
export async function forgetScannedSync(db: Db, { shop, ourId }: Product): Promise<void> {
  if (!/^[\da-f]{32}$/.test(ourId)) return;
  await db
    .updateTable('scanned_products')
    .set({ synced_at: null, synced_shop: null, synced_version: null, store_product_id: null })
    .where('id', '=', sql<string>`${ourId}::uuid`)
    .where('synced_shop', '=', shop)
    .execute();
}

/** Forgets a product that the store no longer has, or that is the merchant's again: its listing and its keys. */
export async function removeListing(db: Db, { shop, ourId }: Product): Promise<void> {
  await db.deleteFrom('product_keys').where('shop', '=', shop).where('our_id', '=', ourId).execute();
  await db.deleteFrom('listings').where('shop', '=', shop).where('our_id', '=', ourId).execute();
}

/** What a listing is set to after an undo. */
export type UndoneListing = {
  sent: { draft: object; hash: string | null; source: object | null };
  /** The product as read after the undo; null: it was not read. */
  baseline: object | null;
  /** Fields that others have changed, as they were before: drift is measured against them. Null: none. */
  kept: object | null;
};

/** Sets a listing to what the store has from us after an undo, and ends its sending. */
export async function restoreListing(
  db: Db,
  { shop, ourId }: Product,
  { sent, baseline, kept }: UndoneListing,
): Promise<void> {
  await db
    .updateTable('listings')
    .set({
      sent: storableJson(sent.draft),
      sent_hash: sent.hash,
      source: sent.source && storableJson(sent.source),
      baseline: baseline && storableJson(baseline),
      baseline_read_at: baseline && sql<Date>`clock_timestamp()`,
      state_id: null,
      kept: kept && storableJson(kept),
      ...notSending,
    })
    .where('shop', '=', shop)
    .where('our_id', '=', ourId)
    .execute();
}

/** What changes in an import when a run that carries a preview out has gone through a product: the store answers. */
export const wentThroughOne = (run: number) => ({
  push_done: sql<number>`case when push_run = ${run} then push_done + 1 else push_done end`,
  ...{ waiting_for: null, waiting_until: null, store_refuses_since: null, store_pauses: 0 },
  version: nextVersion,
});

/**
 * Takes back the outcomes of a product whose push was undone, counts them on the import and as done. Outcomes of later
 * runs stay. The row of the import is locked until the transaction ends. Returns whether there was an outcome.
 */
export async function removeOutcome(
  db: Db,
  importId: string,
  undo: { ourId: string; run: number; undoesRun: number; isUndone: boolean },
): Promise<boolean> {
  const removed = undo.isUndone
    ? await db
        .deleteFrom('outcomes')
        .where('import_id', '=', importId)
        .where('our_id', '=', undo.ourId)
        .where('run', '<', undo.run)
        // A run about products that are gone gave them no outcome: an earlier push did, which is not undone.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('runs')
                .select('run')
                .where('import_id', '=', importId)
                .where('stage', '=', 'push')
                .where('run', '=', undo.undoesRun)
                .where('kind', '=', 'gone'),
            ),
          ),
        )
        .where('rows_run', '=', (eb) =>
          eb.selectFrom('imports').select('rows_run').where('id', '=', importId),
        )
        .returning(['outcome', 'code'])
        .execute()
    : [];
  // Products of several rows of a file may have been one of ours.
  const counters = Map.groupBy(removed, ({ outcome }): Outcome => outcome);
  const inStore = removed.filter(({ code }) => code === 'in-store').length;
  await db
    .updateTable('imports')
    .set({
      ...Object.fromEntries(
        Array.from(counters, ([outcome, { length }]) => [outcome, sql`${sql.ref(outcome)} - ${length}`]),
      ),
      in_store: sql<number>`greatest(0, in_store - ${inStore})`,
      ...wentThroughOne(undo.run),
    })
    .where('id', '=', importId)
    .execute();
  return removed.length > 0;
}
