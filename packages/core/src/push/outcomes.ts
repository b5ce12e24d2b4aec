import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRow, queryRows, queryValues } from '../connection/query-rows.ts';
import type { OutcomeRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { appendErrors, changeImport, nextVersion } from '../imports/imports.ts';
import { addDashboardCounts } from '../imports/record-event.ts';
import type { RunOfRows } from '../work/runs.ts';

/** A push run of an import, and the parse run that numbers its products. */
export type OutcomeRun = { importId: string; rowsRun: number; run: number };

export type NewOutcome = {
  product: number;
  ourId: string;
  outcome: Outcome;
  /** Null except for skipped and failed products. */
  code: OutcomeCode | null;
  message: string | null;
  storeProductId: string | null;
  /** When the product's rows were read. Later edits still have to be pushed. */
  basedOn: Date;
};

const resultColumns = {
  product: 'int',
  ourId: 'text',
  outcome: 'text',
  code: 'text',
  message: 'text',
  storeProductId: 'text',
  basedOn: 'timestamptz',
} as const;

/**
 * Records outcomes of a push run and updates the import's counters. Skips products that already have an outcome of
 * this or a later run. Works in any status, so that no reply is lost. Returns the recorded products.
 */
export async function recordOutcomes(
  db: Db,
  { importId, rowsRun, run }: OutcomeRun,
  results: readonly NewOutcome[],
): Promise<Set<number>> {
  if (results.length === 0) return new Set();
  const sorted = results.toSorted((a, b) => a.product - b.product);
  const earlier = await queryRows<{ product: number; outcome: Outcome }>(db)`
    select product, outcome from outcomes where import_id = ${importId} and rows_run = ${rowsRun}
      and product = any(${sorted.map(({ product }) => product)}::int[])
    order by product for update`;
  const recorded = new Set(
    await queryValues<number>(db)`
      insert into outcomes (import_id, rows_run, run, product, our_id, outcome, code, message, store_product_id,
        decided_at)
      select ${importId}::uuid, ${rowsRun}::int, ${run}::int, given.*
      from ${unnestRows('given', sorted, resultColumns)} order by product
      on conflict (import_id, rows_run, product) do update set run = excluded.run, our_id = excluded.our_id,
        outcome = excluded.outcome, code = excluded.code, message = excluded.message,
        store_product_id = excluded.store_product_id, decided_at = excluded.decided_at
      where outcomes.run < excluded.run
      returning product`,
  );
  if (recorded.size > 0) {
    const before = new Map(earlier.map((row) => [row.product, row.outcome]));
    const counted = sorted.filter((one) => recorded.has(one.product));
    await countOnImport(db, importId, counted, before);
  }
  return recorded;
}

/** Adds outcomes to the counters of an import. Call it last: the import stays locked until the transaction ends. */
async function countOnImport(
  db: Db,
  importId: string,
  results: readonly NewOutcome[],
  before: ReadonlyMap<number, Outcome>,
): Promise<void> {
  const moved = new Map<Outcome, number>();
  const add = (outcome: Outcome, by: number) => moved.set(outcome, (moved.get(outcome) ?? 0) + by);
  for (const { product, outcome } of results) {
    const was = before.get(product);
    if (was) add(was, -1);
    add(outcome, 1);
  }
  const failed = results.filter((one) => one.outcome === 'failed');
  const answered = results.some(({ outcome }) => ['created', 'updated', 'failed'].includes(outcome));
  const counters = [...moved].filter(([, by]) => by !== 0);
  await changeImport(db, importId, {
    ...Object.fromEntries(counters.map(([outcome, by]) => [outcome, sql`${sql.ref(outcome)} + ${by}`])),
    ...(failed.length > 0
      ? {
          error_log: appendErrors(failed.map((one) => `Product ${one.product}: ${one.message ?? 'failed'}`)),
          error_count: sql`error_count + ${failed.length}`,
        }
      : {}),
    ...(answered ? { store_refuses_since: null, store_pauses: 0 } : {}),
    push_done: sql`push_done + ${results.length}`,
    waiting_for: null,
    waiting_until: null,
  });
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of results) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  await addDashboardCounts(db, importId, outcomes);
}

/** Reads outcomes of products or of a range of products, by product number. */
export async function readOutcomes(
  db: Db,
  of: RunOfRows,
  which: readonly number[] | { firstProduct: number; products: number },
): Promise<Map<number, OutcomeRecord>> {
  const isAsked =
    'firstProduct' in which
      ? sql<boolean>`product >= ${which.firstProduct} and product < ${which.firstProduct + which.products}`
      : sql<boolean>`product = any(${which}::int[])`;
  const rows = await queryRows<OutcomeRecord>(db)`
    select * from outcomes where import_id = ${of.import_id} and rows_run = ${of.run} and ${isAsked}`;
  return new Map(rows.map((row) => [row.product, row]));
}

/** Reads the numbers of products that have an outcome in the current rows, by our id. */
export async function readOutcomeProducts(
  db: Db,
  { id, rows_run }: { id: string; rows_run: number },
  ourIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryRows<Pick<OutcomeRecord, 'our_id' | 'product'>>(db)`
    select our_id, product from outcomes
    where import_id = ${id} and our_id = any(${ourIds}::text[]) and rows_run = ${rows_run}`;
  return new Map(rows.map(({ our_id, product }) => [our_id, product]));
}

/** Counts products skipped because the store has them under another id, and left-out products. */
export const countInStoreAndLeftOut = (db: Db, of: RunOfRows) =>
  queryRow<{ inStore: number; leftOut: number }>(db)`
    select count(*) filter (where code = 'in-store')::int as "inStore",
      count(*) filter (where code = 'left-out')::int as "leftOut"
    from outcomes where import_id = ${of.import_id} and rows_run = ${of.run}
      and outcome in ('skipped', 'failed') and code in ('in-store', 'left-out')`;

/** Returns the changes to an import after a line of a preview was carried out. They also end a wait for the store. */
const wentThroughOne = (run: number) => ({
  push_done: sql<number>`case when push_run = ${run} then push_done + 1 else push_done end`,
  ...{ waiting_for: null, waiting_until: null, store_refuses_since: null, store_pauses: 0 },
  version: nextVersion,
});

/** Adds one to the import's done products after its preview run has stored a product's result. Locks the import. */
export async function incrementDoneProducts(db: Db, importId: string, run: number): Promise<void> {
  await db.updateTable('imports').set(wentThroughOne(run)).where('id', '=', importId).execute();
}

/** Removes an undone product's outcomes of earlier runs, and counts the product. Returns whether it had outcomes. */
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
  // Several product numbers of a file may have the same id of ours, so several outcomes may be removed.
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
