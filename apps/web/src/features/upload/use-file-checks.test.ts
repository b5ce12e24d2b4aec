import { expect, test } from 'vitest';
import {
  type ChosenFile,
  emptySelection,
  type SelectionAction,
  selectionReducer,
} from './files/chosen-files.ts';
import { chooseNextChecks } from './use-file-checks.ts';

const choose: SelectionAction = {
  kind: 'choose',
  files: ['a.csv', 'b.csv', 'c.csv', 'd.csv'].map((name) => new File(['x'], name)),
  replace: true,
};
const { files } = selectionReducer(emptySelection, choose);
const change = (id: number, set: Partial<ChosenFile>) =>
  files.map((file) => (file.id === id ? { ...file, ...set } : file));
const ids = ({ stop, start }: ReturnType<typeof chooseNextChecks>) => ({
  stop,
  start: start.map(({ id }) => id),
});
const runningOf = (...running: number[]) =>
  new Map(files.filter(({ id }) => running.includes(id)).map((file) => [file.id, file]));

test('two files at once are checked in the background, in their order, and not the previewed one', () => {
  expect(ids(chooseNextChecks(files, 1, new Map()))).toEqual({ stop: [], start: [2, 3] });
  expect(ids(chooseNextChecks(files, 1, runningOf(2, 3)))).toEqual({ stop: [], start: [] });
  const failed = { kind: 'failed', failure: { message: 'No.', isBeyondDialects: true } } as const;
  expect(ids(chooseNextChecks(change(2, { checked: failed }), 1, runningOf(3)))).toEqual({
    stop: [],
    start: [4],
  });
});

test('a check ends when its file is previewed, uploaded, or to be read in another way', () => {
  expect(ids(chooseNextChecks(files, 2, runningOf(2, 3)))).toEqual({ stop: [2], start: [1] });
  expect(ids(chooseNextChecks(change(3, { uploadId: 1 }), 1, runningOf(2, 3)))).toEqual({
    stop: [3],
    start: [4],
  });
  const another = change(2, { choice: { delimiter: ';' } });
  expect(ids(chooseNextChecks(another, 1, runningOf(2, 3)))).toEqual({ stop: [2], start: [2] });
});
