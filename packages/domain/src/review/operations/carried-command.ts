import type { Operation } from './operation.ts';

/** Kinds of commands. 'copied': edits of an earlier import of the same file. 'file': rows that the file leaves out. */
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

/** Returns whether the next list gets a command's values. Bulk edits must set constants in individually chosen rows. */
export function isCarriedCommand({ kind, operations, targets }: BaseCommand): boolean {
  if (kind !== 'bulk') return !ofOneList.has(kind);
  return targets === 'rows' && (operations ?? []).every((operation) => constants.has(operation.kind));
}
