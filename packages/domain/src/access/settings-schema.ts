import { z } from 'zod';
import { isStorable, notStorableMessage } from '../base/storable-text.ts';
import {
  autoProcessModes,
  batchSizes,
  type Settings as SettingsValue,
  watchFrequencies,
} from './settings.ts';

/** The twelve settings, all of which must be present. Other options are preferences. */
export const Settings = z.strictObject({
  draftMode: z.boolean(),
  batchSize: z.literal(batchSizes),
  autoRetry: z.boolean(),
  aiValidation: z.boolean(),
  upcLookup: z.boolean(),
  oneDriveEnabled: z.boolean(),
  oneDriveFolder: z.string().max(1000).refine(isStorable, notStorableMessage),
  watchFrequency: z.enum(watchFrequencies),
  autoProcessMode: z.enum(autoProcessModes),
  deleteAfterProcess: z.boolean(),
  moveToArchive: z.boolean(),
  notifyOnCompletion: z.boolean(),
}) satisfies z.ZodType<SettingsValue>;
