import { expect, test } from 'vitest';
import {
  type Chosen,
  type ChosenAction,
  chosenFilesMax,
  chosenReducer,
  nothingChosen,
} from './chosen-files.ts';

const file = (name: string) => new File(['Title\nLamp\n'], name);
const after = (...actions: ChosenAction[]): Chosen => actions.reduce(chosenReducer, nothingChosen);
const names = ({ files }: Chosen) => files.map((one) => one.file.name);
const previewed = ({ files, selected }: Chosen) => files.find(({ id }) => id === selected)?.file.name;

const two: ChosenAction = { kind: 'choose', files: [file('a.csv'), file('b.csv')], replace: true };
const third: ChosenAction = { kind: 'choose', files: [file('c.csv')], replace: false };

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
  const at = (id = 0): ChosenAction => ({ kind: 'select', id });
  const without = (id = 0): ChosenAction => ({ kind: 'remove', id });
  expect(previewed(after(two, third, at(first), without(first)))).toBe('b.csv');
  expect(previewed(after(two, third, without(second)))).toBe('c.csv');
  expect(previewed(after(two, third, without(three.files[2]?.id)))).toBe('b.csv');
  expect(after(two, { kind: 'clear' })).toMatchObject({ files: [], selected: null });
});

test('settings belong to one file, and the number of files is limited', () => {
  const [first, second] = after(two, { kind: 'change', id: 1, set: { choice: { delimiter: ';' } } }).files;
  expect([first?.choice, second?.choice]).toEqual([{ delimiter: ';' }, {}]);
  const many = Array.from({ length: chosenFilesMax + 1 }, (_, at) => file(`${at}.csv`));
  expect(after(two, { kind: 'choose', files: many, replace: false }).files).toHaveLength(chosenFilesMax);
});
