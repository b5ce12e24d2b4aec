import { expect, it } from 'vitest';
import { preferencesDefault } from './preferences.ts';
import { Preferences, preferencesFrom } from './preferences-schema.ts';

it('skips matches by default and refuses unknown keys', () => {
  expect(preferencesFrom({})).toEqual(preferencesDefault);
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

it('reads preferences of another version', () => {
  expect(preferencesFrom({ whenInStore: 'update', later: 1 })).toEqual({
    ...preferencesDefault,
    whenInStore: 'update',
  });
  expect(preferencesFrom({ whenInStore: 'merge' })).toEqual(preferencesDefault);
});
