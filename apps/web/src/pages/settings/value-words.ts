import type { Settings } from '@draftshelf/domain/settings';
import { changedNames, settingLabels } from './setting-words.ts';

/** 'Every 30 minutes', 'Every hour', 'Every 2 hours'. */
export function frequencyWords(minutes: string): string {
  const count = Number(minutes);
  if (count < 60) return `Every ${count} minutes`;
  return count === 60 ? 'Every hour' : `Every ${count / 60} hours`;
}

export const modeWords: Record<Settings['autoProcessMode'], { label: string; meaning: string }> = {
  manual: { label: 'Manual', meaning: 'Every file waits for your review.' },
  'validate-only': {
    label: 'Validate only',
    meaning: 'Files are checked. What is valid becomes ready, and waits for your push.',
  },
  'full-auto': {
    label: 'Full auto',
    meaning:
      'What is ready is pushed without a review. As drafts only, if the columns are sure, and after a delay in which you can stop it.',
  },
};

/** A setting's value in words: 'On', '50', 'Every hour'. */
export function valueWords(name: keyof Settings, value: Settings[keyof Settings]): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (name === 'watchFrequency') return frequencyWords(String(value));
  if (name === 'autoProcessMode') return modeWords[value as Settings['autoProcessMode']].label;
  return value === '' ? 'Empty' : String(value);
}

/** The settings whose values differ, in the order of the screen. */
export function differences(mine: Settings, theirs: Settings) {
  return changedNames(mine, theirs).map((name) => ({
    name: settingLabels[name],
    mine: valueWords(name, mine[name]),
    theirs: valueWords(name, theirs[name]),
  }));
}
