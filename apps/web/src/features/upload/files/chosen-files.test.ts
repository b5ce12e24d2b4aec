import { expect, test } from 'vitest';
import { addUploads } from '../run/uploads.ts';
import {
  buildFileRows,
  chosenFilesMax,
  emptySelection,
  type FileSelection,
  isUnfit,
  type SelectionAction,
  selectionReducer,
} from './chosen-files.ts';

const file = (name: string) => new File(['Title\nLamp\n'], name);
const after = (...actions: SelectionAction[]): FileSelection =>
  actions.reduce(selectionReducer, emptySelection);
const names = ({ files }: FileSelection) => files.map(({ file }) => file.name);
const previewed = ({ files, selected }: FileSelection) => files.find(({ id }) => id === selected)?.file.name;

const two = {
  kind: 'choose',
  files: [file('a.csv'), file('b.csv')],
  replace: true,
} satisfies SelectionAction;
const third: SelectionAction = { kind: 'choose', files: [file('c.csv')], replace: false };

test('files are added or replace the others, and the first new one is previewed', () => {
  expect([names(after(two)), previewed(after(two))]).toEqual([['a.csv', 'b.csv'], 'a.csv']);
  expect([names(after(two, third)), previewed(after(two, third))]).toEqual([
    ['a.csv', 'b.csv', 'c.csv'],
    'c.csv',
  ]);
  const replaced = after(two, { ...third, replace: true });
  expect([names(replaced), previewed(replaced)]).toEqual([['c.csv'], 'c.csv']);
});

test('the preview goes to the next file when its own is removed, and stays otherwise', () => {
  const three = after(two, third);
  const [first, second] = three.files.map(({ id }) => id);
  const at = (id = 0): SelectionAction => ({ kind: 'select', id });
  const without = (id = 0): SelectionAction => ({ kind: 'remove', id });
  expect(previewed(after(two, third, at(first), without(first)))).toBe('b.csv');
  expect(previewed(after(two, third, without(second)))).toBe('c.csv');
  expect(previewed(after(two, third, without(three.files[2]?.id)))).toBe('b.csv');
  expect(after(two, { kind: 'clear' })).toMatchObject({ files: [], selected: null });
});

test('an uploaded file keeps its place, and the preview goes to the next one that is not uploaded', () => {
  const started = (...ids: number[]): SelectionAction => ({
    kind: 'start',
    uploads: new Map(ids.map((id) => [id, 10 + id])),
  });
  const select: SelectionAction = { kind: 'select', id: 1 };
  const state = after(two, third, select, started(1));
  expect([names(state), previewed(state)]).toEqual([['a.csv', 'b.csv', 'c.csv'], 'b.csv']);
  expect(state.files.map(({ uploadId }) => uploadId)).toEqual([11, null, null]);
  expect(previewed(after(two, select, started(1, 2)))).toBeUndefined();
  const folded = after(two, { kind: 'select', id: null }, started(1));
  expect(previewed(folded)).toBeUndefined();
  const cleared = after(two, third, started(2), { kind: 'clear' });
  expect(names(cleared)).toEqual(['b.csv']);
});

test('a refused file gets a row that says why, and is never read', () => {
  const refused = [{ file: file('photo.png'), message: 'Invalid File Type: Please select a CSV file' }];
  const { files } = after({ ...two, refused });
  expect(files.map(({ isRefused }) => isRefused)).toEqual([false, false, true]);
  expect(files[2]?.checked).toEqual({
    kind: 'failed',
    failure: { message: 'Invalid File Type: Please select a CSV file', isBeyondDialects: true },
  });
  expect(files.map(isUnfit)).toEqual([false, false, true]);
  // Nor is it opened once all others are uploaded.
  const uploads = new Map([1, 2].map((id) => [id, 10 + id]));
  expect(previewed(after({ ...two, refused }, { kind: 'start', uploads }))).toBeUndefined();
});

test('settings belong to one file, and the number of files is limited', () => {
  const [first, second] = after(two, { kind: 'change', id: 1, set: { choice: { delimiter: ';' } } }).files;
  expect([first?.choice, second?.choice]).toEqual([{ delimiter: ';' }, {}]);
  const many = Array.from({ length: chosenFilesMax + 1 }, (_, at) => file(`${at}.csv`));
  expect(after(two, { kind: 'choose', files: many, replace: false }).files).toHaveLength(chosenFilesMax);
});

const target = (id: number) => ({ id, filename: `upload-${id}.csv`, fileBytes: 10 });

test('each file has one row, which keeps its key and place while it is uploaded', () => {
  const choose: SelectionAction = {
    kind: 'choose',
    files: ['a.csv', 'b.csv', 'c.csv'].map((name) => new File(['x'], name)),
    replace: true,
  };
  const { files } = selectionReducer(emptySelection, choose);
  const earlier = addUploads([target(1)])([]);
  const before = buildFileRows(files, earlier);
  expect(before.map(({ name }) => name)).toEqual(['upload-1.csv', 'a.csv', 'b.csv', 'c.csv']);
  const uploads = addUploads([target(2)])(earlier);
  const started = files.map((file, at) => (at === 1 ? { ...file, uploadId: 2 } : file));
  const rows = buildFileRows(started, uploads);
  expect(rows.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  expect(rows.map(({ upload }) => upload?.id ?? null)).toEqual([1, null, 2, null]);
  // Its result was removed.
  expect(buildFileRows(started, earlier).map(({ name }) => name)).toEqual(['upload-1.csv', 'a.csv', 'c.csv']);
});
