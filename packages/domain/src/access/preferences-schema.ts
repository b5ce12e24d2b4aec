import { z } from 'zod';
import {
  autoPushRanges,
  keptDaysRange,
  matchChoices,
  type Preferences as PreferencesValue,
} from './preferences.ts';

const within = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

/** Days of retention. Null: kept for ever. */
const KeptDays = within(keptDaysRange).nullable();

/** Options of operators that are not settings. Unknown keys are refused. */
export const Preferences = z.strictObject({
  whenInStore: z.enum(matchChoices),
  sendNonOverlapping: z.boolean(),
  autoPushDelayMinutes: within(autoPushRanges.autoPushDelayMinutes),
  autoPushMax: within(autoPushRanges.autoPushMax),
  rulesFillEmpty: z.boolean(),
  keepRowsDays: KeptDays,
  keepFilesDays: KeptDays,
}) satisfies z.ZodType<PreferencesValue>;
