import { z } from 'zod';
import { readableValues } from './saved-values.ts';

/** What a push does with a product that the store already has under another id. */
export const matchChoices = ['skip', 'update', 'create'] as const;
export type MatchChoice = (typeof matchChoices)[number];

/** Limits of full-auto's numbers, both included. */
export const autoPushRanges = {
  autoPushDelayMinutes: { min: 0, max: 1440 },
  autoPushMax: { min: 1, max: 100_000 },
} as const;

/** Limits of the days that something is kept, both included. */
export const keptDaysRange = { min: 1, max: 3650 } as const;

const within = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

/** Days that something is kept; null: for ever. */
const KeptDays = within(keptDaysRange).nullable();

/** What retention removes: search texts of imports at rest, and rows and files of imports that have ended. */
export const retentionNames = ['keepSearchDays', 'keepRowsDays', 'keepFilesDays'] as const;
export type RetentionName = (typeof retentionNames)[number];

/** What operators can set beside the specification's settings; unknown keys are refused. */
export const Preferences = z.strictObject({
  /** What is done with matches unless a push says otherwise. */
  whenInStore: z.enum(matchChoices),
  /**
   * Our changes are sent to a product that was changed in the store, unless the same part was changed on both sides.
   * Else such a product waits for a decision.
   */
  sendNonOverlapping: z.boolean(),
  /** Full-auto pushes an import this long after it has passed all gates. */
  autoPushDelayMinutes: within(autoPushRanges.autoPushDelayMinutes),
  /** Full-auto leaves imports with more products to a person. */
  autoPushMax: within(autoPushRanges.autoPushMax),
  /** Rules fill empty fields at once. Else their values are proposed. */
  rulesFillEmpty: z.boolean(),
  keepSearchDays: KeptDays,
  keepRowsDays: KeptDays,
  keepFilesDays: KeptDays,
});
export type Preferences = z.infer<typeof Preferences>;

export const preferencesDefault: Preferences = {
  whenInStore: 'skip',
  sendNonOverlapping: false,
  autoPushDelayMinutes: 10,
  autoPushMax: 1000,
  rulesFillEmpty: false,
  keepSearchDays: 14,
  keepRowsDays: null,
  keepFilesDays: null,
};

/** Preferences from saved values, which another version may have written. */
export function preferencesFrom(saved: Readonly<Record<string, unknown>>): Preferences {
  return { ...preferencesDefault, ...readableValues(Preferences, saved) };
}
