import type { Command } from '@draftshelf/contract/review/edit-history';
import { useRef } from 'react';
import { useFailureToast, useToast } from '../../../ui/feedback/toast.tsx';
import { useListener } from '../../../ui/hooks.ts';
import { isOpenAbove, isTextField } from '../../../ui/keys.ts';
import { readOwnCommands } from './edits-api.ts';
import { type UndoDirection, type Undoing, useUndo } from './use-undo.ts';

const nothing = {
  undo: { title: 'Nothing to undo', text: 'No change of this import was made in this browser.' },
  running: { title: 'Not yet', text: 'A change of yours is still being applied. Undo it when it has ended.' },
  redo: { title: 'Nothing to redo', text: 'The last change of this browser wasn’t an undo.' },
} as const satisfies Record<UndoDirection | 'running', object>;

export function useUndoKeys(importId: string, lock: string | null): void {
  const { run } = useUndo(importId);
  const toast = useToast();
  const failure = useFailureToast();
  /** Commands whose values have all been edited since. */
  const skipped = useRef(new Set<string>());
  const last = useRef(Promise.resolve());
  const step = async (direction: UndoDirection) => {
    if (lock !== null) return failure.show('Couldn’t change the rows', lock);
    try {
      const undoing = await findNewest(importId, direction, skipped.current);
      if (undoing === null || undoing === 'running') {
        return void toast({ ...nothing[undoing ?? direction], tone: 'neutral', isRoutine: true });
      }
      if ((await run(undoing)) === 'nothing') skipped.current.add(String(undoing.commands[0]));
    } catch (error) {
      failure.show('Couldn’t load the history', (error as Error).message);
    }
  };
  useListener('document', 'keydown', (event) => {
    const direction = undoOfKey(event);
    if (direction === null || event.defaultPrevented || isTextField(event.target) || isOpenAbove()) return;
    event.preventDefault();
    // One after the other: each step depends on the one before.
    last.current = last.current.then(() => step(direction));
  });
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;

/** With Command on a Mac; null for other keys and a held one. */
export function undoOfKey({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: Key): UndoDirection | null {
  const letter = key.toLowerCase();
  if (repeat || ctrlKey === metaKey || altKey) return null;
  if (letter === 'y' && !shiftKey) return 'redo';
  if (letter !== 'z') return null;
  return shiftKey ? 'redo' : 'undo';
}

/** `own`: the newest first. A command that is still being applied is not passed over. */
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

/** None if this browser has changed something else since. */
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

/** Throws what `call` throws. */
async function findNewest(
  importId: string,
  direction: UndoDirection,
  skipped: ReadonlySet<string>,
): Promise<Undoing | 'running' | null> {
  const own = await readOwnCommands(importId);
  return direction === 'undo' ? newestToUndo(own, skipped) : newestToRedo(own, skipped);
}
