import type { DecisionCounts } from '@draftshelf/domain/push/plan-decisions';
import type { PlanComparison, PlanSettings, PlanSums } from '@draftshelf/domain/push/push-plan';
import { sql } from 'kysely';
import { ago } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import type { PlanRecord, PlanStore } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import type { EditsSince } from '../../review/commands/edits-since.ts';
import { lastEdit } from '../../review/commands/stored-edits.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { summedCounts } from './summed-counts.ts';

/** Then a plan is no longer used. */
export const planDays = 30;

/** Begins the plan of an import in place of its earlier one. The caller has locked the import. */
export async function insertPlan(
  db: Db,
  { import_id, run }: RunOfRows,
  { settings, lastEdit }: { settings: PlanSettings; lastEdit: number },
): Promise<void> {
  await db
    .updateTable('plans')
    .set({ replaced_at: sql<Date>`clock_timestamp()` })
    .where('import_id', '=', import_id)
    .where('replaced_at', 'is', null)
    .execute();
  await db
    .insertInto('plans')
    .values({ import_id, rows_run: run, made_from: storableJson(settings), last_edit: lastEdit })
    .execute();
}

/** The plan of an import, or undefined if it has none, or one that is being removed. */
export async function findPlan(db: Db, importId: string): Promise<PlanRecord | undefined> {
  return db
    .selectFrom('plans')
    .selectAll()
    .where('import_id', '=', importId)
    .where('replaced_at', 'is', null)
    .where('started_at', '>=', ago(planDays * 86_400_000))
    .executeTakeFirst();
}

/** Sets the shop of a plan that is being made, and when the copy of that store was complete. */
export async function setPlanShop(db: Db, id: number, shop: string): Promise<void> {
  await sql`
    update plans set shop = ${shop}, copied_at = (select ended_at from store_syncs where shop = ${shop} and error is null)
    where id = ${id}`.execute(db);
}

/** The file of another import whose plan of the same shop is being made and began earlier; undefined: none is. */
export async function findEarlierPlan(
  db: Db,
  { id, shop }: { id: number; shop: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ filename: string }>`
    select filename from plans join imports on imports.id = plans.import_id
    where plans.shop = ${shop} and plans.id < ${id} and plans.ended_at is null and plans.replaced_at is null
      and exists (select 1 from chunks where import_id = plans.import_id and kind = 'task' and task = 'plan-push'
        and state in ('pending', 'published'))
    order by plans.id limit 1`.execute(db);
  return rows[0]?.filename;
}

/** Adds what a part of a plan has counted. `store`: the facts about the store that it was made with, if it had any. */
export async function addToPlan(
  db: Db,
  id: number,
  part: {
    sums: PlanSums;
    decisions: DecisionCounts;
    points: number;
    openingPoints: number;
    workMs: number;
    store: PlanStore | null;
  },
): Promise<void> {
  await sql`
    update plans set points = points + ${part.points}, opening_points = opening_points + ${part.openingPoints},
      work_ms = work_ms + ${Math.ceil(part.workMs)},
      store = coalesce(${part.store && storableJson(part.store)}::json, store),
      sums = ${summedCounts('plans.sums', part.sums)}, decisions = ${summedCounts('plans.decisions', part.decisions)}
    where id = ${id}`.execute(db);
}

/** Ends a plan: all of its products have a line. */
export async function endPlan(
  db: Db,
  { id, import_id }: Pick<PlanRecord, 'id' | 'import_id'>,
): Promise<void> {
  await db
    .updateTable('plans')
    .set({ ended_at: sql<Date>`clock_timestamp()`, edits_until: await lastEdit(db, import_id) })
    .where('id', '=', id)
    .execute();
}

/** The edits that a plan may not have counted. */
export const editsSincePlan = ({ last_edit, edits_until }: PlanRecord): EditsSince => ({
  after: last_edit,
  unsureUntil: edits_until ?? last_edit,
});

/** Stores why a plan cannot be made. */
export async function setPlanProblem(db: Db, id: number, problem: string): Promise<void> {
  await db.updateTable('plans').set({ problem }).where('id', '=', id).execute();
}

/** Stores how a push went compared with its plan. */
export async function storeComparison(
  db: Db,
  id: number,
  pushRun: number,
  compared: PlanComparison,
): Promise<void> {
  await db
    .updateTable('plans')
    .set({ push_run: pushRun, compared: storableJson(compared) })
    .where('id', '=', id)
    .execute();
}

/** Counting a million takes too long for a request. */
const countedProductsMax = 10_000;

/**
 * How many of an import's products a shop may have at most, by what we have pushed and copied. All of them, if a shop
 * has 10,000 products or more.
 */
export async function countKnownProducts(db: Db, shop: string, products: number): Promise<number> {
  const limit = Math.min(products, countedProductsMax);
  const { rows } = await sql<{ known: number }>`
    select count(*)::int as known from (
      select 1 from listings where shop = ${shop} union all select 1 from store_products where shop = ${shop}
      limit ${limit}
    ) known`.execute(db);
  const known = rows[0]?.known ?? 0;
  return known < limit ? known : products;
}
