import type { ColumnEvidence } from './column-evidence.ts';

type Amounts = ColumnEvidence['amounts'];

/** Returns the amounts of the rows in which both columns are above 0, as [a, b]. */
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
/** Number of columns that are compared with each other, in file order. Comparing 2,000 would take minutes. */
const comparedMax = 40;
const nearly = (a: number, b: number) => Math.abs(a - b) <= 0.011 + Math.abs(b) * 0.0005;

/** Returns columns of line totals, such as 'Ext. retail': price times count. Counts that are all 1 prove nothing. */
export function findLineTotals(columns: ReadonlyMap<number, ColumnEvidence>): Set<number> {
  const priced = [...columns].filter(([, column]) => column.money > 0.6).slice(0, comparedMax);
  const counts = priced.filter(([, column]) => column.integer > 0.9 && !column.isSequence);
  const totals = new Set<number>();
  for (const [quantity, count] of counts) {
    if (!count.amounts.some((amount) => amount !== null && amount > 1)) continue;
    for (const [unit, price] of priced) {
      if (unit === quantity) continue;
      for (const [total, product] of priced) {
        if (total === unit || total === quantity) continue;
        if (isProduct(count.amounts, price.amounts, product.amounts)) totals.add(total);
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

/**
 * Returns how much the values of each column look like selling prices, 0 to 1. `totals`: the line totals of the file.
 * `areAllAnonymous`: no header of the file has a meaning, so any column may have the prices.
 */
export function scorePriceColumns(
  columns: ReadonlyMap<number, ColumnEvidence>,
  totals: ReadonlySet<number>,
  areAllAnonymous: boolean,
): Map<number, number> {
  const alike = new Map<number, number>();
  for (const [index, column] of columns) {
    const base = totals.has(index) ? 0 : alone(column);
    if (base > 0) alike.set(index, base);
  }
  lowerWholeNumbers(columns, alike);
  const only = areAllAnonymous ? onlyAmounts(columns, alike) : null;
  if (only !== null) alike.set(only, Math.max(onlyMin, (alike.get(only) ?? 0) + onlyBonus));
  const scores = comparedPrices(columns, alike);
  if (areAllAnonymous) leaveTies(scores);
  return scores;
}

/**
 * Compares columns in pairs of which one is never higher than the other, and lowers the score of one. This is the
 * lower column if it looks like a cost (much lower) or a net price (a fixed ratio). Otherwise, or if the higher column
 * is often empty, it is the higher column, which is then a regular price.
 */
function comparedPrices(
  columns: ReadonlyMap<number, ColumnEvidence>,
  alike: ReadonlyMap<number, number>,
): Map<number, number> {
  const scores = new Map(alike);
  const lower = (index: number, by: number) => scores.set(index, Math.max(0, (scores.get(index) ?? 0) - by));
  const compared = [...alike].slice(0, comparedMax);
  for (const [a, likeA] of compared) {
    for (const [b, likeB] of compared) {
      const [low, high] = [columns.get(a), columns.get(b)];
      if (a === b || !low || !high || Math.min(likeA, likeB) < 0.45) continue;
      const ratio = ratioBelow(low, high);
      if (ratio === null) continue;
      if (high.fill < low.fill * 0.6) lower(b, 0.25);
      else if (ratio.isFixed || ratio.median < 0.8) lower(a, 0.14);
      else lower(b, 0.15);
    }
  }
  return scores;
}

const wholePenalty = 0.15;

/** Whether a column has amounts without decimals and without a currency; '64.00' has decimals. */
const isWhole = (column: ColumnEvidence | undefined): boolean =>
  column !== undefined && column.integer >= 0.9 && column.decimals < 0.1;

/** Lowers the score of whole numbers next to prices with decimals: they are counts, sizes or percentages. */
function lowerWholeNumbers(columns: ReadonlyMap<number, ColumnEvidence>, alike: Map<number, number>): void {
  const whole = new Set([...alike.keys()].filter((index) => isWhole(columns.get(index))));
  if (![...alike].some(([index, like]) => like >= 0.5 && !whole.has(index))) return;
  for (const index of whole) alike.set(index, Math.max(0, (alike.get(index) ?? 0) - wholePenalty));
}

/** If the two best scores differ by less than this, neither column is clear. */
const tieMax = 0.02;
const tiePenalty = 0.35;

/** Lowers all scores if two columns look equally like the price, so that neither is used. */
function leaveTies(scores: Map<number, number>): void {
  const [best = 0, second = 0] = [...scores.values()].sort((a, b) => b - a);
  if (best - second >= tieMax) return;
  for (const [index, score] of scores) scores.set(index, Math.max(0, score - tiePenalty));
}

const onlyMin = 0.76;
const onlyBonus = 0.2;
/** Whole numbers with a median below this are more often counts than prices. */
const wholePriceMin = 5;
const exactPriceMin = 2;

/** Returns the only column of amounts with decimals or a currency, else the only column of whole numbers, else null. */
function onlyAmounts(
  columns: ReadonlyMap<number, ColumnEvidence>,
  alike: ReadonlyMap<number, number>,
): number | null {
  const amounts = [...columns].filter(([index]) => alike.has(index));
  const exact = amounts.filter(([, column]) => !isWhole(column));
  const [first, second] = exact.length > 0 ? exact : amounts;
  if (!first || second) return null;
  const [index, { decimals, integer, median }] = first;
  if (exact.length === 0) return median >= wholePriceMin ? index : null;
  // Amounts with more than two decimals are computed values, and amounts below 2 are often weights.
  return decimals + integer >= 0.9 && median >= exactPriceMin ? index : null;
}

function alone(column: ColumnEvidence): number {
  const { money, isSequence, fill, filled, longDigits, amounts, distinct, decimals, integer, median } =
    column;
  if (money < 0.85 || isSequence || fill < 0.3 || longDigits > 0.3 || (filled >= 4 && distinct <= 1 / filled))
    return 0;
  const numbers = amounts.filter((amount) => amount !== null);
  if (isStepped(numbers)) return 0;
  if (numbers.filter((amount) => amount > 0).length < numbers.length * 0.8) return 0.15;
  if (decimals > 0.6) {
    // Weights in kilograms are low too, but, unlike prices, end in any digit.
    const cheap = median < 1 || (median < 2 && column.priceEnding < 0.85) ? 0.25 : 0;
    return (
      Math.max(0.1, 0.38 + 0.37 * column.priceEnding + 0.2 * column.currency - cheap) * (0.8 + 0.2 * fill)
    );
  }
  return integer > 0.9 && median >= 5 && distinct > 0.3 ? wholePrices(numbers, median) : 0.15;
}

const steppedMin = 5;

/** Whether numbers rise in equal steps, as positions do. Needs five numbers, because prices may be 100, 200, 300. */
function isStepped(numbers: readonly number[]): boolean {
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  if (step < 1 || numbers.length < steppedMin) return false;
  return numbers.every((number, at) => at === 0 || number - (numbers[at - 1] as number) === step);
}

/** Scores whole prices. They end in 0, 5 or 9 more often than counts do, and article numbers are close together. */
function wholePrices(numbers: readonly number[], median: number): number {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  if (low >= 1000 && high < low * 1.3 && new Set(numbers).size > numbers.length * 0.9) return 0;
  const round = numbers.filter((number) => [0, 5, 9].includes(number % 10)).length / numbers.length;
  return 0.28 + 0.2 * Math.max(0, (round - 0.3) / 0.7) + (median >= 15 ? 0.08 : 0);
}

/** Two columns are related if the lowest ratio of their amounts is at least this share of the highest ratio. */
const relatedFrom = 0.25;

/** Returns the ratio of two columns if the first is never higher, else null. */
function ratioBelow(low: ColumnEvidence, high: ColumnEvidence): { median: number; isFixed: boolean } | null {
  const pairs = pairsOf(low.amounts, high.amounts);
  if (pairs.length < rowsMin || pairs.some(([a, b]) => a > b * 1.0001)) return null;
  const ratios = pairs.map(([a, b]) => a / b).sort((x, y) => x - y);
  const median = ratios[Math.floor(ratios.length / 2)] as number;
  // A reduced price may equal the regular price, but at least 30 % of the prices must be reduced.
  if (median > 0.999 && ratios.filter((ratio) => ratio < 0.999).length < ratios.length * 0.3) return null;
  // Columns that are unrelated, such as a price and a weight in grams, have widely varying ratios.
  const small = ratios[Math.floor(ratios.length * 0.1)] ?? 0;
  const large = ratios[Math.ceil(ratios.length * 0.9) - 1] ?? 0;
  if (small < large * relatedFrom) return null;
  const near = ratios.filter((ratio) => Math.abs(ratio - median) < 0.006).length;
  return { median, isFixed: median > 0.75 && near >= ratios.length * 0.9 };
}

/** Whether prices are never above those of another column, mostly at least 10 % lower, and not at a fixed ratio. */
export function isDiscounted(low: ColumnEvidence, high: ColumnEvidence): boolean {
  const ratio = ratioBelow(low, high);
  return ratio !== null && !ratio.isFixed && ratio.median < 0.9;
}

/** Whether a price column is filled in most rows of another price column, never above it, and in some rows below it. */
export function isUsuallyReduced(reduced: ColumnEvidence, regular: ColumnEvidence): boolean {
  const pairs = pairsOf(reduced.amounts, regular.amounts);
  const priced = regular.amounts.filter((amount) => amount !== null && amount > 0).length;
  return (
    pairs.length >= rowsMin &&
    pairs.length >= priced * 0.7 &&
    pairs.every(([low, high]) => low <= high) &&
    pairs.some(([low, high]) => low < high)
  );
}
