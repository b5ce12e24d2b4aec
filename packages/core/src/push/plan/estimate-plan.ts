import { countPlannedProducts, type PlanSums } from '@draftshelf/domain/push/push-plan';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { countKnownProducts } from '../previews/previews.ts';
import { findShopByUrl } from '../store/shops.ts';
import { type CurrentBudget, pointsReservedForPushes, readStoreBudget } from '../store/store-budget.ts';

/** Products per second by `npm run bench:plan` (docs/BENCHMARKS.md), used for a shop without a large plan so far. */
const productsPerSecond = 2_000;
/** Typical time in which the store answers a read of 100 products. */
const answerSeconds = 0.3;
const productsPerAnswer = 100;
/** Points to read the stamp of a product. An unchanged product needs no further read. */
const pointsPerProduct = 1 / productsPerAnswer;
/** Points to open a store, every ten minutes: reads of scopes, currency, location, 100 collections and a definition. */
export const storeOpeningPoints = 56;

export type PlanEstimate = { points: number; seconds: number };

/** Limit for a plan that is made without a request of the operator. */
const unasked: PlanEstimate = { points: storeOpeningPoints + 50, seconds: 10 };

/** Returns whether a plan is cheap enough to be made without a request. False if its cost is unknown. */
export const isCheapPlan = (estimate: PlanEstimate | null): boolean =>
  estimate !== null && estimate.points <= unasked.points && estimate.seconds <= unasked.seconds;

/** Estimates a plan from the last large plans for the store at an address. Null if the store has not answered yet. */
export async function estimatePlan(
  db: Db,
  { total_products: products }: Pick<ImportRecord, 'total_products'>,
  url: string,
): Promise<PlanEstimate | null> {
  const at = await findShopByUrl(db, url);
  if (!at) return null;
  const pace = await readPlanPace(db, at.shop);
  const known = await countKnownProducts(db, at.shop, products);
  const points = known === 0 ? 0 : Math.ceil(storeOpeningPoints + known * pointsPerProductOf(pace));
  const budget = await readStoreBudget(db, url);
  const waits = budget && points > 0 ? secondsUntil(points + pointsReservedForPushes, budget) : 0;
  return { points, seconds: Math.ceil(secondsOf(products, known, pace) + waits) };
}

const secondsUntil = (needed: number, { points, restoreRate }: CurrentBudget): number =>
  Math.max(0, needed - points) / restoreRate;

const secondsOf = (products: number, known: number, pace: PlanPace | null): number =>
  pace
    ? (products * pace.seconds) / pace.products
    : products / productsPerSecond + (known / productsPerAnswer) * answerSeconds;

const pointsPerProductOf = (pace: PlanPace | null): number =>
  pace && pace.inStore > 0 ? Math.max(pointsPerProduct, pace.points / pace.inStore) : pointsPerProduct;

const plansMax = 10;
/** Minimum number of products of a measured plan. In a smaller plan, the fixed cost exceeds the products' cost. */
const productsMin = 1_000;

type PlanPace = {
  seconds: number;
  products: number;
  inStore: number;
  points: number;
};

async function readPlanPace(db: Db, shop: string): Promise<PlanPace | null> {
  const rows = await queryRows<{ sums: PlanSums; points: number; work_ms: number }>(db)`
    select sums, points - opening_points as points, work_ms from previews
    where kind = 'push' and shop = ${shop} and previewed_at is not null and work_ms > 0
      and (select sum(value::int) from json_each_text(sums)) >= ${productsMin}
    order by previewed_at desc limit ${plansMax}`;
  if (rows.length === 0) return null;
  const pace: PlanPace = { seconds: 0, products: 0, inStore: 0, points: 0 };
  for (const { sums, points, work_ms } of rows) {
    const { all, inStore } = countPlannedProducts(sums);
    pace.seconds += work_ms / 1000;
    pace.products += all;
    pace.inStore += inStore;
    pace.points += points;
  }
  return pace;
}
