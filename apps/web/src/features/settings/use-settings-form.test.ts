import { preferencesDefault as saved } from '@draftshelf/domain/access/preferences';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { enteredNumber, type NumberName, numberIn } from './use-settings-form.ts';

test.each([
  ['autoPushDelayMinutes', '0', 0],
  ['autoPushDelayMinutes', ' 1,440 ', 1440],
  ['autoPushDelayMinutes', '1441', null],
  ['autoPushDelayMinutes', '', null],
  ['autoPushDelayMinutes', '2.5', null],
  ['autoPushDelayMinutes', '2,5', null],
  ['autoPushDelayMinutes', '14,40', null],
  ['autoPushDelayMinutes', '1,4400', null],
  ['autoPushDelayMinutes', '2 5', null],
  ['autoPushDelayMinutes', '-1', null],
  ['autoPushMax', '0', null],
  ['autoPushMax', '100 000', 100_000],
  ['autoPushMax', '100\u202f000', 100_000],
  ['autoPushMax', '100001', null],
  ['autoPushMax', '1e3', null],
] as const)('%s of "%s" is %s', (name, text, number) => {
  expect(numberIn(name, text)).toBe(number);
});

test('a number that is saved already is no change, and one out of range says what can be entered', () => {
  const entered = (name: NumberName, text: string) => enteredNumber(new QueryClient(), name, text, saved);
  expect(entered('autoPushMax', '1,000')).toBeUndefined();
  expect(entered('autoPushMax', '20')).toMatchObject({
    name: 'autoPushMax',
    label: 'Largest import to push (products)',
    text: '20',
    error: null,
  });
  expect(entered('autoPushDelayMinutes', 'soon')).toMatchObject({
    text: 'soon',
    error: 'Enter a whole number from 0 to 1,440 minutes.',
  });
});
