import { settingsDefault } from '@draftshelf/domain/settings';
import { expect, test } from 'vitest';
import { differences, frequencyWords } from './setting-words.ts';

test.each([
  ['5', 'Every 5 minutes'],
  ['60', 'Every hour'],
  ['1440', 'Every 24 hours'],
])('%s minutes are "%s"', (minutes, words) => {
  expect(frequencyWords(minutes)).toBe(words);
});

test('differences are named as on the screen', () => {
  const theirs = {
    ...settingsDefault,
    draftMode: false,
    oneDriveFolder: '/In',
    autoProcessMode: 'full-auto' as const,
  };
  expect(differences(settingsDefault, theirs)).toEqual([
    { name: 'Safe Mode (Draft Only)', mine: 'On', theirs: 'Off' },
    { name: 'Watch folder path', mine: 'Empty', theirs: '/In' },
    { name: 'Auto-processing mode', mine: 'Manual', theirs: 'Full auto' },
  ]);
});
