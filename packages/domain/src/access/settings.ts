import { z } from 'zod';
import { isStorable, notStorable } from '../base/storable-text.ts';
import { readableValues } from './saved-values.ts';

/** Products per push chunk; the specification's choices. */
export const batchSizes = [10, 25, 50, 100] as const;
/** Minutes between checks of the watched folder, as strings on the wire; the specification's choices. */
export const watchFrequencies = ['5', '15', '30', '60', '120', '360', '720', '1440'] as const;
export const autoProcessModes = ['manual', 'validate-only', 'full-auto'] as const;
export type AutoProcessMode = (typeof autoProcessModes)[number];

/**
 * The specification's twelve settings: flat, all keys always present; unknown keys are refused. Other options are
 * preferences.
 */
export const Settings = z.strictObject({
  draftMode: z.boolean(),
  batchSize: z.literal(batchSizes),
  autoRetry: z.boolean(),
  aiValidation: z.boolean(),
  upcLookup: z.boolean(),
  oneDriveEnabled: z.boolean(),
  oneDriveFolder: z.string().max(1000).refine(isStorable, notStorable),
  watchFrequency: z.enum(watchFrequencies),
  autoProcessMode: z.enum(autoProcessModes),
  deleteAfterProcess: z.boolean(),
  moveToArchive: z.boolean(),
  notifyOnCompletion: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

export const settingsDefault: Settings = {
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
};

/**
 * Settings from saved values, which another version may have written: unknown keys are ignored and invalid values
 * become the default, so that an older process can run next to a newer one.
 */
export function settingsFrom(saved: Readonly<Record<string, unknown>>): Settings {
  return { ...settingsDefault, ...readableValues(Settings, saved) };
}
