import type { Operation } from './operation.ts';

export type BaseCommand = {
  kind: string;
  operations: readonly Operation[] | null;
  targets: 'rows' | 'filter' | null;
};

const constants: ReadonlySet<Operation['kind']> = new Set(['set', 'clear', 'paste', 'leave-out']);

/**
 * Whether a command's values follow the products into the next list: chosen rows mean products, a filter means this
 * list, and values computed from a row hold for that row only.
 */
export function isCarriedCommand({ kind, operations, targets }: BaseCommand): boolean {
  if (kind !== 'bulk') return kind !== 'undo' && kind !== 'redo' && kind !== 'recipes';
  return targets === 'rows' && (operations ?? []).every((operation) => constants.has(operation.kind));
}
