import { expect, test } from 'vitest';
import { describeNumberMistake, parseSettingNumber } from './use-settings-form.ts';

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
  expect(parseSettingNumber(name, text)).toBe(number);
});

test('the mistake of a number says what can be entered', () => {
  expect(describeNumberMistake('autoPushDelayMinutes')).toBe('Enter a whole number from 0 to 1,440 minutes.');
});
