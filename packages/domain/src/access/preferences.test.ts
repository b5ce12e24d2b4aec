import { expect, it } from 'vitest';
import { preferencesDefault } from './preferences.ts';
import { Preferences } from './preferences-schema.ts';

it('skips matches by default and refuses unknown keys', () => {
  expect(preferencesDefault).toEqual({
    whenInStore: 'skip',
    sendNonOverlapping: true,
    autoPushDelayMinutes: 10,
    autoPushMax: 1000,
    rulesFillEmpty: false,
    keepRowsDays: null,
    keepFilesDays: null,
  });
  expect(Preferences.safeParse({ ...preferencesDefault, batchSize: 25 }).success).toBe(false);
  expect(Preferences.safeParse({ ...preferencesDefault, whenInStore: 'ask' }).success).toBe(false);
  expect(Preferences.safeParse({ ...preferencesDefault, autoPushDelayMinutes: 1441 }).success).toBe(false);
});
