import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { PlanRecord } from '../../connection/schema.ts';
import type { EditsSince } from '../../review/commands/edits-since.ts';

/** Sets a plan's shop, and when the copy of that store was complete. */
export async function setPlanShop(db: Db, id: number, shop: string): Promise<void> {
  await sql`
    update previews set shop = ${shop}, copied_at = (select ended_at from store_syncs where shop = ${shop} and error is null)
    where id = ${id}`.execute(db);
}

/** Finds an import with an unfinished earlier plan of the same shop, by its file. */
export async function findEarlierPlan(
  db: Db,
  { id, shop }: { id: number; shop: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ filename: string }>`
    select filename from previews plan join imports on imports.id = plan.import_id
    where plan.kind = 'push' and plan.shop = ${shop} and plan.id < ${id} and plan.previewed_at is null
      and plan.replaced_at is null and exists (
        select 1 from chunks where import_id = plan.import_id and kind = 'task' and task = 'plan-push'
          and state in ('pending', 'published'))
    order by plan.id limit 1`.execute(db);
  return rows[0]?.filename;
}

/** Returns the edits that a plan may not have counted. */
export const editsSincePlan = ({ last_edit, edits_until }: PlanRecord): EditsSince => ({
  after: last_edit,
  unsureUntil: edits_until ?? last_edit,
});

/** Whether an undo, or changes of products that are gone, have ended in the plan's shop since it began. */
export async function hasChangedStore(db: Db, { shop, started_at }: PlanRecord): Promise<boolean> {
  const changed = await db
    .selectFrom('previews')
    .select('id')
    .where('kind', 'in', ['undo', 'gone'])
    .where('shop', '=', shop)
    .where('ended_at', '>', started_at)
    .limit(1)
    .executeTakeFirst();
  return changed !== undefined;
}

/** Counting a million takes too long for a request. */
const countedProductsMax = 10_000;

/** Counts products that a shop may have, by our pushes and its copy; `products` if it has 10,000 or more. */
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
