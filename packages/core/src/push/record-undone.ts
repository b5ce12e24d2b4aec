import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows } from '../connection/query-rows.ts';
import { storableJson } from '../connection/storable-json.ts';
import { nextVersion } from '../imports/imports.ts';
import { notSending } from './sending.ts';

type Product = { shop: string; ourId: string };

/** Locks the listing of an undo. True if `version` (undefined: none) is unchanged and only `chunk` is sending it. */
export async function lockListing(
  db: Db,
  { shop, ourId }: Product,
  { version, chunk }: { version: string | undefined; chunk: number },
): Promise<boolean> {
  const listing = await findRow<{ sendingChunk: number | null; isSending: boolean; version: string }>(db)`
    select sending_chunk as "sendingChunk", sending is not null as "isSending", xmin::text as version
    from listings where shop = ${shop} and our_id = ${ourId} for update`;
  if (listing?.isSending) return listing.sendingChunk === chunk;
  return listing?.version === version;
}

export async function markStatesUndone(
  db: Db,
  { shop, ourId }: Product,
  { importId, pushRun }: { importId: string; pushRun: number },
): Promise<void> {
  await sql`
    update pushed_states set undone_at = clock_timestamp()
    where shop = ${shop} and our_id = ${ourId} and import_id = ${importId} and run = ${pushRun}
      and undone_at is null`.execute(db);
}

/** Forgets the sync of a scanned product. First in its transaction, because a save locks it first. */
export async function forgetScannedSync(db: Db, { shop, ourId }: Product): Promise<void> {
  if (!/^[\da-f]{32}$/.test(ourId)) return;
  await db
    .updateTable('scanned_products')
    .set({ synced_at: null, synced_shop: null, synced_version: null, store_product_id: null })
    .where((eb) => eb.and({ id: sql<string>`${ourId}::uuid`, synced_shop: shop }))
    .execute();
}

/** Forgets a product that is deleted, or the merchant's again: its listing and keys. */
export async function removeListing(db: Db, { shop, ourId }: Product): Promise<void> {
  await db.deleteFrom('product_keys').where('shop', '=', shop).where('our_id', '=', ourId).execute();
  await db.deleteFrom('listings').where('shop', '=', shop).where('our_id', '=', ourId).execute();
}

export type UndoneListing = {
  sent: { draft: object; hash: string | null; source: object | null };
  /** The product as read after the undo, if it was. */
  baseline: object | null;
  /** Others' changes, as they were before; drift is measured against them. */
  kept: object | null;
};

/** Sets a listing to the store's state after an undo, and ends its sending. */
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
    .where((eb) => eb.and({ shop, our_id: ourId }))
    .execute();
}

/** Changes of an import when a run that carries a preview out has done a product: the store answers. */
export const wentThroughOne = (run: number) => ({
  push_done: sql<number>`case when push_run = ${run} then push_done + 1 else push_done end`,
  ...{ waiting_for: null, waiting_until: null, store_refuses_since: null, store_pauses: 0 },
  version: nextVersion,
});

/** Removes a product's outcomes up to the undone run, counts that and locks the import. False if there was none. */
export async function removeOutcome(
  db: Db,
  importId: string,
  undo: { ourId: string; run: number; undoesRun: number; isUndone: boolean },
): Promise<boolean> {
  const removed = undo.isUndone
    ? await queryRows<{ outcome: Outcome; code: OutcomeCode | null }>(db)`
        delete from outcomes where import_id = ${importId} and our_id = ${undo.ourId} and run < ${undo.run}
          and rows_run = (select rows_run from imports where id = ${importId})
          -- Outcomes of gone products belong to an earlier push, which is not undone.
          and not exists (select 1 from runs
            where import_id = ${importId} and stage = 'push' and run = ${undo.undoesRun} and kind = 'gone')
        returning outcome, code`
    : [];
  // Several rows of a file may have been one of our products.
  const counters = Map.groupBy(removed, ({ outcome }) => outcome);
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
