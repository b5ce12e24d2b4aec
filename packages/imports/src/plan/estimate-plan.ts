import type { Db } from '@draftshelf/database/connection/database';
import { countKnownProducts } from '@draftshelf/database/push/plans';
import { readShopAt } from '@draftshelf/database/push/shops';
import { readBudget } from '@draftshelf/database/push/store-budget';
import type { ImportRecord } from '@draftshelf/database/schema';

/** Assumed; plans have not been timed on an idle machine. */
const productsPerSecond = 1_000;
const productsPerPoint = 100;

/** What a plan takes of the store's budget, and how long it takes. */
export type PlanEstimate = { points: number; seconds: number };

/** A plan that takes no more than this is made without being asked for. */
const unasked: PlanEstimate = { points: 50, seconds: 10 };

/** Whether a plan takes so little that it is made without being asked for; false if nobody knows what it takes. */
export const isMadeUnasked = (estimate: PlanEstimate | null): boolean =>
  estimate !== null && estimate.points <= unasked.points && estimate.seconds <= unasked.seconds;

/**
 * Estimates the plan of an import for the store at an address; null if that store has not answered yet. Products that
 * the store may have cost a point per hundred. Those that somebody has changed there cost more, which nobody knows
 * before.
 */
export async function estimatePlan(
  db: Db,
  { total_products: products }: Pick<ImportRecord, 'total_products'>,
  url: string,
): Promise<PlanEstimate | null> {
  const at = await readShopAt(db, url);
  if (!at) return null;
  const known = await countKnownProducts(db, at.shop, products);
  const points = Math.ceil(known / productsPerPoint);
  const budget = await readBudget(db, url);
  const missing = budget ? Math.max(0, points - budget.points) / budget.restoreRate : 0;
  return { points, seconds: Math.ceil(products / productsPerSecond + missing) };
}
