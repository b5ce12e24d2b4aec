import { z } from 'zod';
import { isStorable, notStorable } from './storable-text.ts';

/** Products per push chunk (S327). */
export const batchSizes = [10, 25, 50, 100] as const;
/** Minutes between looks into the watched folder (S327), as the wire has them. */
export const watchFrequencies = ['5', '15', '30', '60', '120', '360', '720', '1440'] as const;
export const autoProcessModes = ['manual', 'validate-only', 'full-auto'] as const;

/** The settings (S240–253, decision O12): flat, all keys always present; unknown keys are refused. */
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
 * The settings that have been saved, by whatever version: what this one does not know is left out, and what it cannot
 * read is the default, so that an older process goes on beside a newer one.
 */
export function settingsFrom(saved: Readonly<Record<string, unknown>>): Settings {
  const readable = Object.entries(saved).filter(
    ([name, value]) => isName(name) && Settings.shape[name].safeParse(value).success,
  );
  return Settings.parse({ ...settingsDefault, ...Object.fromEntries(readable) });
}

const isName = (name: string): name is keyof Settings => Object.hasOwn(Settings.shape, name);
