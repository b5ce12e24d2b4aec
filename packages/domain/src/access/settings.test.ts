import { expect, it } from 'vitest';
import { settingsDefault } from './settings.ts';
import { Settings } from './settings-schema.ts';

// Only the specification's; further options are preferences (preferences.ts).
it('has the twelve keys of the specification with their defaults', () => {
  expect(Settings.parse(settingsDefault)).toEqual(settingsDefault);
  expect(settingsDefault).toEqual({
    draftMode: true,
    batchSize: 25,
    autoRetry: false,
    aiValidation: true,
    upcLookup: true,
    oneDriveEnabled: false,
    oneDriveFolder: '',
    watchFrequency: '30',
    autoProcessMode: 'manual',
    deleteAfterProcess: false,
    moveToArchive: false,
    notifyOnCompletion: false,
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

it.each([
  ['batchSize', [10, 25, 50, 100]],
  ['watchFrequency', ['5', '15', '30', '60', '120', '360', '720', '1440']],
  ['autoProcessMode', ['manual', 'validate-only', 'full-auto']],
])('accepts each %s of %j', (key, values) => {
  for (const value of values) expect(Settings.partial().parse({ [key]: value })).toEqual({ [key]: value });
});

it('accepts some of the keys as a change', () => {
  expect(Settings.partial().parse({ batchSize: 100 })).toEqual({ batchSize: 100 });
});
