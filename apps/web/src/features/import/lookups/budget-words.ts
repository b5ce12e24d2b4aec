import { formatCount } from '../../../lib/intl.ts';

export type Budget = { points: number; maximum: number; restoreRate: number; productPoints: number };

/** '1,950 of 2,000 points left'. */
export function budgetWords({ points, maximum }: Budget): string {
  return `${formatCount(Math.floor(points))} of ${formatCount(maximum)} points left`;
}

/** 'About 7 products a second.' */
export function refillWords({ restoreRate, productPoints }: Budget): string {
  const products = restoreRate / productPoints;
  const count = products < 10 ? Number(products.toFixed(1)) : Math.round(products);
  return `About ${formatCount(count)} ${count === 1 ? 'product' : 'products'} a second.`;
}
