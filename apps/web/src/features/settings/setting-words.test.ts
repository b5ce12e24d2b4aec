import { settingsDefault } from '@draftshelf/domain/access/settings';
import { expect, test } from 'vitest';
import { createCallError } from '../../api/call.ts';
import {
  buildNumbersFailedToast,
  buildSaveFailedToast,
  describeMode,
  frequencyWords,
  listSettingDifferences,
} from './use-settings-form.ts';

test.each([
  ['5', 'Every 5 minutes'],
  ['60', 'Every hour'],
  ['1440', 'Every 24 hours'],
])('%s minutes are "%s"', (minutes, words) => {
  expect(frequencyWords(minutes)).toBe(words);
});

test.each([
  [
    10,
    / The push begins 10 minutes after the file was read and its look-ups ended\. You can stop it until then\.$/,
  ],
  [
    1,
    / The push begins 1 minute after the file was read and its look-ups ended\. You can stop it until then\.$/,
  ],
  [0, / The push begins as soon as the file was read and its look-ups ended\.$/],
  [
    undefined,
    / The push begins a few minutes after the file was read and its look-ups ended\. You can stop it until then\.$/,
  ],
])('with a delay of %s minutes, full auto says when it pushes', (minutes, words) => {
  expect(describeMode('full-auto', minutes)).toMatch(words);
});

test('a failed save has its message, or says that it failed', () => {
  expect(
    buildSaveFailedToast(createCallError(503, 'Service Unavailable', '{"message":"Try again."}')),
  ).toEqual({
    title: 'Update Failed',
    text: '503: Try again.',
    tone: 'failure',
  });
  expect(buildSaveFailedToast(createCallError(503, '', '')).text).toBe('Failed to update settings');
});

test('numbers of full auto that could not be saved do not hide that the settings were', () => {
  const words = 'The settings were saved, but not the numbers of full auto.';
  expect(buildNumbersFailedToast(createCallError(503, '', '{"message":"Busy."}')).text).toBe(
    `${words} 503: Busy.`,
  );
  expect(buildNumbersFailedToast(createCallError(503, '', '')).text).toBe(`${words} Try again.`);
});

test('differences are named as on the screen', () => {
  const theirs = {
    ...settingsDefault,
    draftMode: false,
    oneDriveFolder: '/In',
    autoProcessMode: 'full-auto' as const,
  };
  expect(listSettingDifferences(settingsDefault, theirs)).toEqual([
    { label: 'Safe Mode (Draft Only)', mine: 'On', theirs: 'Off' },
    { label: 'Watch folder path', mine: 'Empty', theirs: '/In' },
    { label: 'Auto-processing mode', mine: 'Manual', theirs: 'Full auto' },
  ]);
});
