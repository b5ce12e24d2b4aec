import type { Command } from '@draftshelf/contract/review/edit-history';
import { readOwnCommands } from './edits-api.ts';
import type { UndoDirection, Undoing } from './use-undo.ts';

/**
 * The newest command that a key undoes. `own`: this browser's, the newest first; `skipped`: with nothing to undo. One
 * that is still being applied is not passed over.
 */
export function newestToUndo(
  own: readonly Command[],
  skipped: ReadonlySet<string>,
): Undoing | 'running' | null {
  if (own[0]?.state === 'applying') return 'running';
  const newest = own.find(({ id, state }) => state === 'applied' && !skipped.has(id));
  return newest === undefined
    ? null
    : { commands: [newest.id], direction: 'undo', sentence: newest.sentence };
}

/** The command that was undone last. None if this browser has changed something else since. */
export function newestToRedo(own: readonly Command[], skipped: ReadonlySet<string>): Undoing | null {
  const changedAt = own.find(({ state }) => state === 'applied')?.at ?? '';
  const undone = own.flatMap(({ undo, sentence }) =>
    undo?.author === 'this-browser' && undo.at > changedAt && !skipped.has(undo.id)
      ? [{ ...undo, sentence }]
      : [],
  );
  const last = undone.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
  return last === undefined ? null : { commands: [last.id], direction: 'redo', sentence: last.sentence };
}

/** The command of this browser that a key undoes or redoes; null: none. Throws what `call` throws. */
export async function findNewest(
  importId: string,
  direction: UndoDirection,
  skipped: ReadonlySet<string>,
): Promise<Undoing | 'running' | null> {
  const own = await readOwnCommands(importId);
  return direction === 'undo' ? newestToUndo(own, skipped) : newestToRedo(own, skipped);
}
