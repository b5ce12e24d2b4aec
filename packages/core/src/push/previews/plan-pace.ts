import { type PlanSums, productsOf } from '@draftshelf/domain/push/push-plan';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';

/** Number of plans that are measured. */
const plansMax = 10;
/** With fewer products, what every plan takes weighs more than its products. */
const productsMin = 1_000;

/** What some plans took together. */
export type PlanPace = {
  seconds: number;
  products: number;
  /** Those of the products that the store had, and the points that they took. */
  inStore: number;
  points: number;
};

/** What the last complete plans of a thousand products or more took for a shop; null without such a plan. */
export async function readPlanPace(db: Db, shop: string): Promise<PlanPace | null> {
  const { rows } = await sql<{ sums: PlanSums; points: number; work_ms: number }>`
    select sums, points - opening_points as points, work_ms from previews
    where kind = 'push' and shop = ${shop} and previewed_at is not null and work_ms > 0
      and (select sum(value::int) from json_each_text(sums)) >= ${productsMin}
    order by previewed_at desc limit ${plansMax}`.execute(db);
  if (rows.length === 0) return null;
  const pace: PlanPace = { seconds: 0, products: 0, inStore: 0, points: 0 };
  for (const { sums, points, work_ms } of rows) {
    const { all, inStore } = productsOf(sums);
    pace.seconds += work_ms / 1000;
    pace.products += all;
    pace.inStore += inStore;
    pace.points += points;
  }
  return pace;
}
