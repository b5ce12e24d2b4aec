import type { Outcome, OutcomeCode } from '@draftshelf/domain/outcome';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { countOutcomes } from '../dashboard/record-event.ts';
import { appendedErrors, nextVersion } from '../imports/imports.ts';
import type { ImportRecord, OutcomeRecord } from '../schema.ts';

export type NewOutcome = {
  importId: string;
  /** The parse run that numbers the product. */
  rowsRun: number;
  run: number;
  product: number;
  ourId: string;
  outcome: Outcome;
  /** Why it was skipped or has failed; null for other outcomes. */
  code: OutcomeCode | null;
  message: string | null;
  storeProductId: string | null;
  /** When the rows behind the outcome were read: an edit made after that still has to be pushed. */
  basedOn: Date;
};

/**
 * Records the outcome of one product in a push run, and changes the import's counters by the difference to the
 * product's earlier outcome. Works in any status: an answer from the store is never lost. Returns false and changes
 * nothing when this run (or a later one) has already recorded an outcome of the product.
 */
export async function recordOutcome(db: Db, result: NewOutcome): Promise<boolean> {
  const before = await db
    .selectFrom('outcomes')
    .select(['outcome', 'run'])
    .where('import_id', '=', result.importId)
    .where('rows_run', '=', result.rowsRun)
    .where('product', '=', result.product)
    .forUpdate()
    .executeTakeFirst();
  const inserted = await db
    .insertInto('outcomes')
    .values({
      import_id: result.importId,
      rows_run: result.rowsRun,
      product: result.product,
      run: result.run,
      our_id: result.ourId,
      outcome: result.outcome,
      code: result.code,
      message: result.message,
      store_product_id: result.storeProductId,
      decided_at: result.basedOn,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['import_id', 'rows_run', 'product'])
        .doUpdateSet((row) => ({
          run: row.ref('excluded.run'),
          our_id: row.ref('excluded.our_id'),
          outcome: row.ref('excluded.outcome'),
          code: row.ref('excluded.code'),
          message: row.ref('excluded.message'),
          store_product_id: row.ref('excluded.store_product_id'),
          decided_at: row.ref('excluded.decided_at'),
        }))
        .whereRef('outcomes.run', '<', 'excluded.run'),
    )
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return false;
  const failed = result.outcome === 'failed';
  await db
    .updateTable('imports')
    .set({
      ...(before && before.outcome !== result.outcome
        ? { [before.outcome]: sql`${sql.ref(before.outcome)} - 1` }
        : {}),
      ...(before?.outcome === result.outcome
        ? {}
        : { [result.outcome]: sql`${sql.ref(result.outcome)} + 1` }),
      ...(failed
        ? {
            error_log: appendedErrors([`Product ${result.product}: ${result.message ?? 'failed'}`]),
            error_count: sql`error_count + 1`,
          }
        : {}),
      push_done: sql`push_done + 1`,
      waiting_for: null,
      waiting_until: null,
      version: nextVersion,
    })
    .where('id', '=', result.importId)
    .execute();
  await countOutcomes(db, result.importId, { [result.outcome]: 1 });
  return true;
}

/** The outcomes of a range of products of an import, by product number. */
export async function readOutcomes(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run'>,
  range: { firstProduct: number; products: number },
): Promise<Map<number, OutcomeRecord>> {
  const rows = await db
    .selectFrom('outcomes')
    .selectAll()
    .where('import_id', '=', record.id)
    .where('rows_run', '=', record.rows_run)
    .where('product', '>=', range.firstProduct)
    .where('product', '<', range.firstProduct + range.products)
    .execute();
  return new Map(rows.map((row) => [row.product, row]));
}

/** The outcomes of some products of an import, by product number. */
export async function readOutcomesOf(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run'>,
  products: readonly number[],
): Promise<Map<number, OutcomeRecord>> {
  const rows = await db
    .selectFrom('outcomes')
    .selectAll()
    .where('import_id', '=', record.id)
    .where('rows_run', '=', record.rows_run)
    .where('product', '=', sql<number>`any(${products}::int[])`)
    .execute();
  return new Map(rows.map((row) => [row.product, row]));
}
