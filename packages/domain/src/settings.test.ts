import { expect, it } from 'vitest';
import { Settings, settingsDefault } from './settings.ts';

it('has the twelve keys with their defaults', () => {
  expect(Settings.parse(settingsDefault)).toEqual(settingsDefault);
  expect(Object.keys(settingsDefault)).toHaveLength(12);
  expect(settingsDefault).toMatchObject({ batchSize: 25, watchFrequency: '30', autoProcessMode: 'manual' });
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
