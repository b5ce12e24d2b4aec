import { z } from 'zod';
import {
  autoPushRanges,
  keptDaysRange,
  matchChoices,
  type Preferences as PreferencesValue,
} from './preferences.ts';

const within = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

/** Retention period in days. Null: kept for ever. */
const KeptDays = within(keptDaysRange).nullable();

/** The operator's options beyond the twelve settings. Unknown keys are refused. */
export const Preferences = z.strictObject({
  whenInStore: z.enum(matchChoices),
  sendNonOverlapping: z.boolean(),
  autoPushDelayMinutes: within(autoPushRanges.autoPushDelayMinutes),
  autoPushMax: within(autoPushRanges.autoPushMax),
  rulesFillEmpty: z.boolean(),
  keepRowsDays: KeptDays,
  keepFilesDays: KeptDays,
}) satisfies z.ZodType<PreferencesValue>;
