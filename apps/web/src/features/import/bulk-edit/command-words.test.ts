import type { Task } from '@draftshelf/contract/imports/imports';
import type { Command } from '@draftshelf/contract/review/edit-history';
import { expect, test } from 'vitest';
import {
  computePercentDone,
  describeEndedCommand,
  describeRunningCommand,
  typingHintWords,
  unchangedCellWords,
} from './command-notices.tsx';

const task: Task = {
  id: 1,
  label: 'Applying a change',
  state: 'running',
  done: 5_400,
  total: 12_000,
  command: null,
  waitingFor: null,
  error: null,
};

test('a change that runs says how far it is, or why it does not go on', () => {
  expect(describeRunningCommand(task, 'Price × 1.2')).toBe(
    'Applying a change (Price × 1.2): 45%, 5,400 of 12,000 rows',
  );
  expect(describeRunningCommand({ ...task, total: null }, null)).toBe('Applying a change: 5,400 rows so far');
  expect(describeRunningCommand({ ...task, waitingFor: 'Waiting for a reason.' }, null)).toBe(
    'Applying a change: Waiting for a reason.',
  );
  expect(describeRunningCommand({ ...task, state: 'failed', error: 'Full disk' }, null)).toBe(
    'Applying a change has stopped: Full disk. Resume it, or undo it.',
  );
});

test('an undo and a redo count the cells that they go through', () => {
  const undo = { ...task, label: 'Undoing a change', done: 622, total: 1_500 };
  expect(describeRunningCommand(undo, null, true)).toBe('Undoing a change: 41%, 622 of 1,500 cells');
  expect(describeRunningCommand(undo, null)).toBe('Applying a change: 41%, 622 of 1,500 cells');
  expect(describeRunningCommand({ ...undo, total: null }, null, true)).toBe(
    'Undoing a change: 622 cells so far',
  );
});

test('a task without rows, and one that has done more than was counted, has no impossible percentage', () => {
  expect([computePercentDone({ done: 0, total: 0 }), computePercentDone({ done: 13, total: 12 })]).toEqual([
    null,
    100,
  ]);
});

test('a change that has ended says what others have made of it since', () => {
  const applied = { command: 'a', isUndo: false, isBusy: true };
  const of = (state: Command['state']) => [{ id: 'a', state, undo: null, leftCells: {}, leftRows: {} }];
  expect(describeEndedCommand(applied, undefined)).toEqual({
    title: 'Change applied',
    left: [],
    canUndo: true,
  });
  expect(describeEndedCommand(applied, of('applied'))).toEqual({
    title: 'Change applied',
    left: [],
    canUndo: true,
  });
  expect(describeEndedCommand(applied, of('undone'))).toEqual({
    title: 'Change undone',
    left: [],
    canUndo: false,
  });
  expect(describeEndedCommand(applied, of('undoing'))).toEqual({
    title: 'Change being undone',
    left: [],
    canUndo: false,
  });
  const undo = { command: 'u', isUndo: true, isBusy: false };
  const undone = { id: 'u', author: 'call' as const, at: '', left: 0 };
  expect(describeEndedCommand(undo, [])).toEqual({ title: 'Change undone', left: [], canUndo: false });
  expect(
    describeEndedCommand(undo, [{ id: 'a', state: 'undone', undo: undone, leftCells: {}, leftRows: {} }]),
  ).toEqual({
    title: 'Change undone',
    left: [],
    canUndo: false,
  });
});

test('a list from before the end of a change does not say that it is applied again', () => {
  const listed = (state: Command['state']) => [
    { id: 'a', state, undo: null, leftCells: { 'no-result': 1 }, leftRows: {} },
  ];
  const titleOf = (state: Command['state'], isBusy: boolean) =>
    describeEndedCommand({ command: 'a', isUndo: false, isBusy }, listed(state));
  expect(titleOf('applying', false)).toEqual({ title: 'Change applied', left: [], canUndo: true });
  expect(titleOf('applying', true)).toMatchObject({ title: 'Change being applied again', canUndo: false });
  expect(titleOf('undoing', false)).toEqual({ title: 'Change undone', left: [], canUndo: false });
});

test('a change that has ended counts what it left, with the reasons', () => {
  const leftCells = { 'changed-since': 12, 'too-long': 1 };
  const leftRows = { 'changed-since': [3, 5, 1_200] };
  const [applied] = [{ id: 'a', state: 'applied' as const, undo: null, leftCells, leftRows }];
  expect(describeEndedCommand({ command: 'a', isUndo: false, isBusy: true }, [applied])).toMatchObject({
    left: [
      'Left unchanged: 1 value (the result would be too long for the field).',
      'Left unchanged: 12 values (changed by somebody meanwhile), the first in rows 3, 5, and 1,200.',
    ],
  });
  const undo = { id: 'u', author: 'call' as const, at: '', left: 3 };
  const undone = { ...applied, state: 'undone' as const, undo };
  expect(describeEndedCommand({ command: 'u', isUndo: true, isBusy: false }, [undone])).toMatchObject({
    left: ['Left unchanged: 3 values (changed by somebody meanwhile).'],
  });
  expect(
    describeEndedCommand({ command: 'a', isUndo: false, isBusy: true }, [{ ...applied, state: 'undoing' }])
      .left,
  ).toEqual([]);
});

const ofAll = { nextRows: [], isAll: true };

test('cells that are left name their first rows and the first value', () => {
  const number = {
    ...ofAll,
    reason: 'not-a-number',
    cells: 12,
    row: 5,
    before: 'n/a',
    refused: null,
  } as const;
  expect(unchangedCellWords({ ...number, reason: 'yours' })).toBe(
    '12 cells kept, because you changed them yourself. The first is “n/a” in row 5.',
  );
  expect(unchangedCellWords(number)).toBe('12 cells: not a number. The first is “n/a” in row 5.');
  expect(unchangedCellWords({ ...number, isAll: false })).toBe(
    '12 cells of the sample: not a number. The first is “n/a” in row 5.',
  );
  expect(
    unchangedCellWords({
      ...ofAll,
      reason: 'nothing-to-take',
      cells: 1,
      row: 5000,
      before: null,
      refused: null,
    }),
  ).toBe('1 cell: nothing to copy. The first is empty, in row 5,000.');
  const refused = { ...ofAll, reason: 'not-allowed', cells: 2, row: 2, before: '0', refused: 'abc' } as const;
  expect(unchangedCellWords(refused)).toBe(
    '2 cells: the field can’t have this value. The first is “abc” in row 2.',
  );
  expect(unchangedCellWords({ ...refused, nextRows: [606] })).toBe(
    '2 cells: the field can’t have this value. The first is “abc” in row 2, the next in row 606.',
  );
  // A value that is typed is treated in another way, and only values that were given can be typed.
  expect([typingHintWords([]), typingHintWords([number])]).toEqual([null, null]);
  expect(typingHintWords([number, refused])).toMatch(/If you type one into a single cell, it is saved/);
});
