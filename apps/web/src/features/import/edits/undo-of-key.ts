import type { UndoDirection } from './use-undo.ts';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;

/** Ctrl Z undoes and Ctrl Shift Z redoes, with Command on a Mac; null for other keys and a held one. */
export function undoOfKey({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: Key): UndoDirection | null {
  if (repeat || key.toLowerCase() !== 'z' || ctrlKey === metaKey || altKey) return null;
  return shiftKey ? 'redo' : 'undo';
}
