import { expect, it } from 'vitest';
import { Settings, settingsDefault, settingsFrom } from './settings.ts';

it('has the twelve keys with their defaults', () => {
  expect(Settings.parse(settingsDefault)).toEqual(settingsDefault);
  expect(Object.keys(settingsDefault)).toHaveLength(12);
  expect(settingsDefault).toMatchObject({
    upcLookup: true,
    batchSize: 25,
    watchFrequency: '30',
    autoProcessMode: 'manual',
  });
});

it.each([
  { batchSize: 30 },
  { batchSize: '25' },
  { watchFrequency: '45' },
  { watchFrequency: 30 },
  { autoProcessMode: 'auto' },
  { draftMode: 'false' },
  { unknown: true },
])('refuses %j', (change) => {
  expect(Settings.safeParse({ ...settingsDefault, ...change }).success).toBe(false);
});

it('accepts some of the keys as a change', () => {
  expect(Settings.partial().parse({ batchSize: 100 })).toEqual({ batchSize: 100 });
});

it('reads settings of a newer version: unknown keys are ignored, invalid values become the default', () => {
  const saved = { batchSize: 250, draftMode: false, autoProcessMode: 'ask', dailyLimit: 5, toString: true };
  expect(settingsFrom(saved)).toEqual({ ...settingsDefault, draftMode: false });
});
