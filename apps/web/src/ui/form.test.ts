import { expect, test } from 'vitest';
import { amount, choice, findMistakes, number, readValues, secret, text } from './form.tsx';

const isKind = (kind: string) => (entered: Record<string, string | number>) => entered.kind === kind;
const fields = {
  name: text({ label: 'Name', charsMax: 500, missing: 'Enter the name.' }),
  note: text({ label: 'Note', charsMax: 500 }),
  kind: choice({ label: 'Kind', options: { token: 'Token', app: 'App' } }),
  token: secret({ label: 'Token', charsMax: 500, missing: 'Enter the token.', isIn: isKind('token') }),
  id: text({ label: 'ID', charsMax: 500, missing: 'Enter the ID.', isIn: isKind('app') }),
  calls: number({ label: 'Calls', min: 1, max: 10_000 }),
  cost: amount({ label: 'Cost', min: 0, max: 5 }),
};
const none = { name: '', note: '', kind: 'token', token: '', id: '', calls: 1, cost: '' };

test('what is missing is named, if the field belongs to the form now', () => {
  expect(findMistakes(fields, none)).toEqual({ name: 'Enter the name.', token: 'Enter the token.' });
  expect(findMistakes(fields, { ...none, name: ' ', kind: 'app', id: 'i' })).toEqual({
    name: 'Enter the name.',
  });
});

test.each([
  ['', 'Enter a number from 1 to 10,000.'],
  [0, 'Enter a number from 1 to 10,000.'],
  [10_001, 'Enter a number from 1 to 10,000.'],
  [10_000, undefined],
])('a number %j is a mistake: %s', (calls, mistake) => {
  expect(findMistakes(fields, { ...none, calls }).calls).toBe(mistake);
});

test.each([
  ['', undefined],
  [0, undefined],
  ['4.50', undefined],
  [5.01, 'Enter a number from 0 to 5.'],
])('an amount %j is a mistake: %s', (cost, mistake) => {
  expect(findMistakes(fields, { ...none, cost }).cost).toBe(mistake);
});

test('values are texts without spaces around them, numbers, and amounts or null', () => {
  expect(readValues(fields, { ...none, name: ' Ada ', calls: 7, cost: '4.50' })).toEqual({
    ...{ name: 'Ada', note: '', kind: 'token', token: '', id: '' },
    ...{ calls: 7, cost: 4.5 },
  });
  expect(readValues(fields, none).cost).toBeNull();
});
