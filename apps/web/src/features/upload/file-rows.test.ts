import { expect, test } from 'vitest';
import { type ChosenAction, chosenReducer, nothingChosen } from './chosen-files.ts';
import { fileRows } from './file-rows.ts';
import { uploadsReducer } from './uploads.ts';

const target = (id: number) => ({ id, filename: `upload-${id}.csv`, fileBytes: 10 });

test('each file has one row, which keeps its key and place while it is uploaded', () => {
  const choose: ChosenAction = {
    kind: 'choose',
    files: ['a.csv', 'b.csv', 'c.csv'].map((name) => new File(['x'], name)),
    replace: true,
  };
  const { files } = chosenReducer(nothingChosen, choose);
  const earlier = uploadsReducer([], { kind: 'add', targets: [target(1)] });
  const before = fileRows(files, earlier);
  expect(before.map(({ name }) => name)).toEqual(['upload-1.csv', 'a.csv', 'b.csv', 'c.csv']);
  const uploads = uploadsReducer(earlier, { kind: 'add', targets: [target(2)] });
  const started = files.map((file, at) => (at === 1 ? { ...file, uploadId: 2 } : file));
  const rows = fileRows(started, uploads);
  expect(rows.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  expect(rows.map(({ upload }) => upload?.id ?? null)).toEqual([1, null, 2, null]);
  // Its result was removed.
  expect(fileRows(started, earlier).map(({ name }) => name)).toEqual(['upload-1.csv', 'a.csv', 'c.csv']);
});
