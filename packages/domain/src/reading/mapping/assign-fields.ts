import { canonicalFields, coreFields, fieldSpecs } from '../../base/canonical-fields.ts';
import { bestAssignment, type Pair } from './assignment.ts';
import type { FieldCandidate } from './field-candidate.ts';
import { headerKey } from './header-words.ts';

/** The candidate that each column got, by column. */
export type Assigned = Map<number, FieldCandidate>;

/**
 * Assigns each field at most one column and each column at most one field, with the highest total worth. Columns that
 * are fallbacks of a field by their row keys are left out: they are no stand-ins for other fields.
 */
export function assignFields(candidates: readonly FieldCandidate[], headers: readonly string[]): Assigned {
  const assigned = assign(candidates, new Set());
  const fallbacks = rowKeyColumns(assigned, headers);
  return fallbacks.size === 0 ? assigned : assign(candidates, fallbacks);
}

function assign(candidates: readonly FieldCandidate[], reserved: ReadonlySet<number>): Assigned {
  const byPair = new Map<string, FieldCandidate>();
  for (const candidate of candidates) {
    if (reserved.has(candidate.index)) continue;
    const key = `${candidate.field} ${candidate.index}`;
    if (candidate.worth > (byPair.get(key)?.worth ?? 0)) byPair.set(key, candidate);
  }
  const pairs = [...byPair.values()].map(
    ({ field, index, worth }): Pair => ({ row: canonicalFields.indexOf(field), column: index, worth }),
  );
  const assigned: Assigned = new Map();
  for (const [row, column] of bestAssignment(pairs)) {
    const match = byPair.get(`${canonicalFields[row]} ${column}`);
    if (match) assigned.set(column, match);
  }
  return assigned;
}

/** Columns of the other row keys of core fields whose column is a row key, unless they got a core field by name. */
function rowKeyColumns(assigned: Assigned, headers: readonly string[]): Set<number> {
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
