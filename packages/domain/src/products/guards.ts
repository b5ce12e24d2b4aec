import type { RowValues } from '../base/canonical-fields.ts';
import { parseMoney } from '../base/money.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';
import { listVariantRows } from './variant-rows.ts';

/** Limits for the prices in a supplier's lists. Null: not set. Prices beyond a limit are counted, never changed. */
export type Guards = {
  /** The price is at least the cost times this number. */
  guardCost: number | null;
  /** The price is at least the amount in the column of this name. */
  guardColumn: string | null;
  /** The supplier changes the price by at most this percentage from one list to the next. */
  guardChange: number | null;
};

export const areGuardsEqual = (one: Guards | null, other: Guards | null): boolean =>
  guardNames.every((name) => (one?.[name] ?? null) === (other?.[name] ?? null));

const guardNames = ['guardCost', 'guardColumn', 'guardChange'] as const satisfies (keyof Guards)[];

export const guardCostMax = 1_000;
export const guardChangeMax = 1_000;
export const guardColumnCharsMax = 200;

/** The issues of rows whose prices are beyond a guard. */
export type GuardIssue = 'guard-cost' | 'guard-column' | 'guard-change';

/** A row, its cell in the column of a guard, and its price in the file and in the last list, in ten-thousandths. */
export type GuardedRow = {
  values: RowValues;
  cell: string | undefined;
  price: number | null;
  priceThen: number | null;
};

/**
 * Returns the guards that each row of a product breaks. Rows without a cost, or with an empty cell in the guard's
 * column, are not compared. Changes are measured between the supplier's own prices, so edits of the operator do not
 * hide a change.
 */
export function findBrokenGuards(rows: readonly GuardedRow[], guards: Guards): GuardIssue[][] {
  const variants = new Set(listVariantRows(rows.map(({ values }) => values)));
  return rows.map((row) => (variants.has(row.values) ? brokenBy(row, guards) : []));
}

function brokenBy({ values, cell, price, priceThen }: GuardedRow, guards: Guards): GuardIssue[] {
  const { guardCost, guardColumn, guardChange } = guards;
  const sent = partsOf(values.price);
  const [cost, least] = [partsOf(values.cost), partsOf(cell)];
  const broken: GuardIssue[] = [];
  if (guardCost !== null && sent !== null && cost !== null) {
    if (sent * partsPerUnit < cost * Math.round(guardCost * partsPerUnit)) broken.push('guard-cost');
  }
  if (guardColumn !== null && sent !== null && least !== null && sent < least) broken.push('guard-column');
  if (guardChange !== null && price !== null && priceThen !== null) {
    if (Math.abs(price - priceThen) * 100 > priceThen * guardChange) broken.push('guard-change');
  }
  return broken;
}

/** Amounts are compared as whole numbers, so that 13.00 is not below 10.00 × 1.3. */
const partsPerUnit = 10_000;

function partsOf(text: string | undefined): number | null {
  const money = text === undefined ? null : parseMoney(text);
  return money && Math.round(Number(money.amount) * partsPerUnit);
}

/** Returns the index of the column that prices are compared with, or -1 if the file lacks it. */
export function findGuardColumn({ columns }: Pick<HeaderMapping, 'columns'>, name: string): number {
  const plain = (text: string) => text.trim().toLowerCase();
  return columns.findIndex(({ header }) => plain(header) === plain(name));
}
