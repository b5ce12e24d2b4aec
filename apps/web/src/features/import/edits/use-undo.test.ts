import type { Command } from '@draftshelf/contract/review/edit-history';
import { expect, test } from 'vitest';
import { findCommandToRedo, findCommandToUndo, readUndoKey } from './edits-api.ts';

const none = new Set<string>();

const timeOf = (second: number) => new Date(second * 1000).toISOString();

/** A command made at a second; `undone`: the second of its undo. */
const command = (
  id: string,
  second: number,
  undone?: number,
  author: Command['author'] = 'this-browser',
): Command => ({
  id,
  kind: 'single',
  state: undone === undefined ? 'applied' : 'undone',
  author: 'this-browser',
  at: timeOf(second),
  sentence: `Change ${id}`,
  rows: 1,
  left: 0,
  leftCells: {},
  leftRows: {},
  undo: undone === undefined ? null : { id: `undo of ${id}`, author, at: timeOf(undone), left: 0 },
});

test('the newest change that is in effect is undone, without those that have nothing to undo', () => {
  const own = [command('c', 3, 4), command('b', 2), command('a', 1)];
  expect(findCommandToUndo(own, none)).toEqual({ commands: ['b'], direction: 'undo', sentence: 'Change b' });
  expect(findCommandToUndo(own, new Set(['b']))).toMatchObject({ commands: ['a'] });
  // A change that is still being applied is not passed over.
  expect(findCommandToUndo([{ ...command('d', 5), state: 'applying' }, ...own], none)).toBe('running');
  expect(findCommandToUndo(own, new Set(['a', 'b']))).toBeNull();
});

test('the change that was undone last is redone, unless another was made since', () => {
  const undone = [command('c', 3, 4), command('b', 2, 5), command('a', 1)];
  expect(findCommandToRedo(undone, none)).toEqual({
    commands: ['undo of b'],
    direction: 'redo',
    sentence: 'Change b',
  });
  // After that redo, the other one.
  expect(findCommandToRedo([command('c', 3, 4), command('b', 2), command('a', 1)], none)?.commands).toEqual([
    'undo of c',
  ]);
  expect(findCommandToRedo([command('d', 6), ...undone], none)).toBeNull();
  expect(findCommandToRedo([command('c', 3, 4, 'another-browser')], none)).toBeNull();
  expect(findCommandToRedo([], none)).toBeNull();
});

test('Z with Ctrl or Command undoes, and redoes with Shift, as Y does', () => {
  const key = (set: Partial<Parameters<typeof readUndoKey>[0]>) =>
    readUndoKey({
      ...{ key: 'z', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false },
      ...set,
    });
  expect(key({ ctrlKey: true })).toBe('undo');
  expect(key({ metaKey: true })).toBe('undo');
  expect(key({ key: 'Z', ctrlKey: true, shiftKey: true })).toBe('redo');
  expect(key({})).toBeNull();
  expect(key({ ctrlKey: true, repeat: true })).toBeNull();
  expect(key({ ctrlKey: true, altKey: true })).toBeNull();
  expect(key({ key: 'y', ctrlKey: true })).toBe('redo');
  expect(key({ key: 'Y', ctrlKey: true, shiftKey: true })).toBeNull();
});
