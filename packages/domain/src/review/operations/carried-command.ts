import type { Operation } from './operation.ts';

/** copied: edits from an earlier import of the same file. file: rows left out by the file's own commands. */
export const commandKinds = [
  'single',
  'bulk',
  'recipes',
  'corrections',
  'copied',
  'file',
  'carried',
  'proposals',
] as const;

export type BaseCommand = {
  kind: string;
  operations: readonly Operation[] | null;
  targets: 'rows' | 'filter' | null;
};

const constants: ReadonlySet<Operation['kind']> = new Set(['set', 'clear', 'paste', 'leave-out']);

const ofOneList: ReadonlySet<string> = new Set(['undo', 'redo', 'recipes', 'file']);

/** Whether a command's values follow products into the next list: rows were chosen, and values copy no row's. */
export function isCarriedCommand({ kind, operations, targets }: BaseCommand): boolean {
  if (kind !== 'bulk') return !ofOneList.has(kind);
  return targets === 'rows' && (operations ?? []).every((operation) => constants.has(operation.kind));
}
