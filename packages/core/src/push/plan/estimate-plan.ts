import { type PlanSums, productsOf } from '@draftshelf/domain/push/push-plan';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { countKnownProducts } from '../previews/plans.ts';
import { readShopAt } from '../store/shops.ts';
import { type BudgetNow, pointsReservedForPushes, readBudget } from '../store/store-budget.ts';

/** Measured with `npm run bench:plan` (docs/BENCHMARKS.md). For a shop that no large plan was made for. */
const productsPerSecond = 2_000;
/** A store answers in about so long, and is asked about a hundred products at a time. */
const answerSeconds = 0.3;
const productsPerAnswer = 100;
/** Asking for the times of the last changes of a hundred products; nobody has changed them. */
const pointsPerProduct = 1 / productsPerAnswer;
/** Scopes, currency, location, a hundred collections and the definition of our id; read every ten minutes. */
export const openingPoints = 56;

/** What a plan takes of the store's budget, and how long it takes. */
export type PlanEstimate = { points: number; seconds: number };

/** A plan that takes no more than this is made without being asked for: 50 points beside those of opening the store. */
const unasked: PlanEstimate = { points: openingPoints + 50, seconds: 10 };

/** Whether a plan takes so little that it is made without being asked for; false if nobody knows what it takes. */
export const isMadeUnasked = (estimate: PlanEstimate | null): boolean =>
  estimate !== null && estimate.points <= unasked.points && estimate.seconds <= unasked.seconds;

/**
 * Estimates the plan of an import for the store at an address; null if that store has not answered yet. Products that
 * the store may have take as many points as in the last large plans for it, which counts those that somebody changes
 * there.
 */
export async function estimatePlan(
  db: Db,
  { total_products: products }: Pick<ImportRecord, 'total_products'>,
  url: string,
): Promise<PlanEstimate | null> {
  const at = await readShopAt(db, url);
  if (!at) return null;
  const pace = await readPlanPace(db, at.shop);
  const known = await countKnownProducts(db, at.shop, products);
  const points = known === 0 ? 0 : Math.ceil(openingPoints + known * pointsPerProductOf(pace));
  const budget = await readBudget(db, url);
  const waits = budget && points > 0 ? secondsUntil(points + pointsReservedForPushes, budget) : 0;
  return { points, seconds: Math.ceil(secondsOf(products, known, pace) + waits) };
}

const secondsUntil = (needed: number, { points, restoreRate }: BudgetNow): number =>
  Math.max(0, needed - points) / restoreRate;

const secondsOf = (products: number, known: number, pace: PlanPace | null): number =>
  pace
    ? (products * pace.seconds) / pace.products
    : products / productsPerSecond + (known / productsPerAnswer) * answerSeconds;

const pointsPerProductOf = (pace: PlanPace | null): number =>
  pace && pace.inStore > 0 ? Math.max(pointsPerProduct, pace.points / pace.inStore) : pointsPerProduct;

/** Number of plans that are measured. */
const plansMax = 10;
/** With fewer products, what every plan takes weighs more than its products. */
const productsMin = 1_000;

/** What some plans took together. */
type PlanPace = {
  seconds: number;
  products: number;
  /** Those of the products that the store had, and the points that they took. */
  inStore: number;
  points: number;
};

/** What the last complete plans of a thousand products or more took for a shop; null without such a plan. */
async function readPlanPace(db: Db, shop: string): Promise<PlanPace | null> {
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
