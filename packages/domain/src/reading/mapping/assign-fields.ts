import { canonicalFields, coreFields, fieldSpecs } from '../../base/canonical-fields.ts';
import type { FieldCandidate } from './header-candidates.ts';
import { headerKey } from './header-words.ts';

/** The assigned candidates, by column index. */
export type FieldAssignment = Map<number, FieldCandidate>;

/**
 * Assigns each field at most one column and each column at most one field, with the highest total worth. Leaves out
 * columns that are reserved as fallbacks of an assigned core field, because they must not serve other fields.
 */
export function assignFields(
  candidates: readonly FieldCandidate[],
  headers: readonly string[],
): FieldAssignment {
  const assigned = assign(candidates, new Set());
  const fallbacks = rowKeyColumns(assigned, headers);
  return fallbacks.size === 0 ? assigned : assign(candidates, fallbacks);
}

function assign(candidates: readonly FieldCandidate[], reserved: ReadonlySet<number>): FieldAssignment {
  const byPair = new Map<string, FieldCandidate>();
  for (const candidate of candidates) {
    if (reserved.has(candidate.index)) continue;
    const key = `${candidate.field} ${candidate.index}`;
    if (candidate.worth > (byPair.get(key)?.worth ?? 0)) byPair.set(key, candidate);
  }
  const pairs = [...byPair.values()].map(
    ({ field, index, worth }): AssignmentPair => ({
      row: canonicalFields.indexOf(field),
      column: index,
      worth,
    }),
  );
  const assigned: FieldAssignment = new Map();
  for (const [row, column] of bestAssignment(pairs)) {
    const match = byPair.get(`${canonicalFields[row]} ${column}`);
    if (match) assigned.set(column, match);
  }
  return assigned;
}

/** Returns the columns to reserve as fallbacks: their headers are further `rowKeys` of an assigned core field. */
function rowKeyColumns(assigned: FieldAssignment, headers: readonly string[]): Set<number> {
  const keys = headers.map(headerKey);
  const reserved = new Set<number>();
  for (const { index, field } of assigned.values()) {
    const order = fieldSpecs[field].rowKeys.map(headerKey);
    if (!coreFields.includes(field) || !order.includes(keys[index] ?? '')) continue;
    for (const [at, key] of keys.entries()) {
      const match = assigned.get(at);
      if (at === index || !order.includes(key)) continue;
      if (match && coreFields.includes(match.field) && match.kind.startsWith('name')) continue;
      reserved.add(at);
    }
  }
  return reserved;
}

/** A possible pair of a row and a column, with its worth (more than 0). */
export type AssignmentPair = { row: number; column: number; worth: number };

/**
 * Returns the assignment with the highest total worth, as column by row. Every row and column is used at most once.
 * Rows are few (fields), columns may be thousands (columns of a file). Ties go to the first pair.
 * Each step adds a row by the augmenting path with the highest gain (Bellman-Ford over the rows), which may move rows
 * that have a column already. Because the best path comes first, each step is optimal for its number of rows, so the
 * search ends when no path gains anything. It takes about rows × pairs steps, because paths are short.
 */
export function bestAssignment(pairs: readonly AssignmentPair[]): Map<number, number> {
  const byRow = Map.groupBy(pairs, (pair) => pair.row);
  const columnOf = new Map<number, AssignmentPair>();
  const rowAt = new Map<number, number>();
  for (;;) {
    const path = bestPath(byRow, columnOf, rowAt);
    if (!path) break;
    for (const pair of path) {
      columnOf.set(pair.row, pair);
      rowAt.set(pair.column, pair.row);
    }
  }
  return new Map([...columnOf].map(([row, { column }]) => [row, column]));
}

/** Returns the path from a free row to a free column with the highest gain, as pairs. Undefined if no path gains. */
function bestPath(
  byRow: ReadonlyMap<number, readonly AssignmentPair[]>,
  columnOf: ReadonlyMap<number, AssignmentPair>,
  rowAt: ReadonlyMap<number, number>,
): AssignmentPair[] | undefined {
  /** By row: the gain of the best path that frees the row's column, and the pair that uses this column instead. */
  const reached = new Map<number, { gain: number; by: AssignmentPair | undefined }>();
  let open: number[] = [];
  for (const row of byRow.keys()) {
    if (columnOf.has(row)) continue;
    reached.set(row, { gain: 0, by: undefined });
    open.push(row);
  }
  let best: { gain: number; pair: AssignmentPair } | undefined;
  while (open.length > 0) {
    const next: number[] = [];
    for (const row of open) {
      const { gain } = reached.get(row) as { gain: number };
      for (const pair of byRow.get(row) ?? []) {
        const owner = rowAt.get(pair.column);
        if (owner === row) continue;
        const lost = owner === undefined ? 0 : (columnOf.get(owner)?.worth ?? 0);
        const total = gain + pair.worth - lost;
        if (owner === undefined) {
          if (total > (best?.gain ?? tiny)) best = { gain: total, pair };
        } else if (total > (reached.get(owner)?.gain ?? -Infinity) + tiny) {
          reached.set(owner, { gain: total, by: pair });
          next.push(owner);
        }
      }
    }
    open = next;
  }
  if (!best) return undefined;
  const path: AssignmentPair[] = [];
  for (let pair: AssignmentPair | undefined = best.pair; pair; pair = reached.get(pair.row)?.by)
    path.push(pair);
  return path;
}

/** Sums of the same worths, added in a different order, differ by less than this due to rounding. */
const tiny = 1e-9;
