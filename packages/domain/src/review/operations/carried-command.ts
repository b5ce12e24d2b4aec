import type { Operation } from './operation.ts';

/** A command that is no undo or redo. `targets`: whether it was done to rows by number, or to a filter. */
export type BaseCommand = {
  kind: string;
  operations: readonly Operation[] | null;
  targets: 'rows' | 'filter' | null;
};

const constants: ReadonlySet<Operation['kind']> = new Set(['set', 'clear', 'paste', 'leave-out']);

/**
 * Whether the values that a command has set follow the products into the next list. The operator meant these products
 * if he chose rows, and the list if he chose a filter; what is computed from a row holds for that row only.
 */
export function isCarriedCommand({ kind, operations, targets }: BaseCommand): boolean {
  if (kind !== 'bulk') return kind !== 'undo' && kind !== 'redo' && kind !== 'recipes';
  return targets === 'rows' && (operations ?? []).every((operation) => constants.has(operation.kind));
}
