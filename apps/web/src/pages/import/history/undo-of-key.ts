import type { UndoDirection } from '../../../components/edits/use-undo.ts';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Ctrl Z undoes and Ctrl Shift Z redoes, with Command on a Mac; null for other keys. */
export function undoOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): UndoDirection | null {
  if (key.toLowerCase() !== 'z' || ctrlKey === metaKey || altKey) return null;
  return shiftKey ? 'redo' : 'undo';
}
