import type { ColumnEvidence } from './column-evidence.ts';

type Amounts = ColumnEvidence['amounts'];

/** Rows in which both columns have an amount above 0, as [a, b]. */
function pairsOf(a: Amounts, b: Amounts): [number, number][] {
  const pairs: [number, number][] = [];
  for (const [row, left] of a.entries()) {
    const right = b[row];
    if (left !== null && right !== null && right !== undefined && left > 0 && right > 0)
      pairs.push([left, right]);
  }
  return pairs;
}

const rowsMin = 3;
const nearly = (a: number, b: number) => Math.abs(a - b) <= 0.011 + Math.abs(b) * 0.0005;

/**
 * Columns that are the product of an amount and a whole number in the same row, such as 'Ext. retail': totals of a line,
 * never the price of a product. A column of ones proves nothing.
 */
export function lineTotals(columns: ReadonlyMap<number, ColumnEvidence>): Set<number> {
  const priced = [...columns].filter(([, column]) => column.money > 0.6);
  const counts = priced.filter(([, column]) => column.integer > 0.9 && !column.isSequence);
  const totals = new Set<number>();
  for (const [quantity, count] of counts) {
    if (!count.amounts.some((amount) => amount !== null && amount > 1)) continue;
    for (const [unit, price] of priced) {
      if (unit === quantity) continue;
      for (const [total, product] of priced) {
        if (
          total !== unit &&
          total !== quantity &&
          isProduct(count.amounts, price.amounts, product.amounts)
        ) {
          totals.add(total);
        }
      }
    }
  }
  return totals;
}

function isProduct(counts: Amounts, units: Amounts, totals: Amounts): boolean {
  let [rows, telling] = [0, 0];
  for (const [row, count] of counts.entries()) {
    const [unit, total] = [units[row], totals[row]];
    if (count === null || !unit || !total) continue;
    if (!nearly(count * unit, total)) return false;
    rows += 1;
    if (count > 1) telling += 1;
  }
  return rows >= rowsMin && telling >= 2;
}

/** How one column of amounts compares with another: the share of rows in which it is lower, and its median ratio. */
export function compareAmounts(
  a: ColumnEvidence,
  b: ColumnEvidence,
): { lower: number; ratio: number } | null {
  const pairs = pairsOf(a.amounts, b.amounts);
  if (pairs.length < rowsMin) return null;
  const ratios = pairs.map(([left, right]) => left / right).sort((x, y) => x - y);
  const lower = pairs.filter(([left, right]) => left <= right * 1.0001).length / pairs.length;
  return { lower, ratio: ratios[Math.floor(ratios.length / 2)] as number };
}
