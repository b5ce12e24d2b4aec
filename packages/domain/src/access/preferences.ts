/** Choices for a product that the store already has under another id. */
export const matchChoices = ['skip', 'update', 'create'] as const;
export type MatchChoice = (typeof matchChoices)[number];

/** Limits of full-auto's numbers, both included. */
export const autoPushRanges = {
  autoPushDelayMinutes: { min: 0, max: 1440 },
  autoPushMax: { min: 1, max: 100_000 },
} as const;

/** Limits of the days that something is kept, both included. */
export const keptDaysRange = { min: 1, max: 3650 } as const;

/** Retention limits: rows and files of imports that have ended. */
export const retentionNames = ['keepRowsDays', 'keepFilesDays'] as const;
export type RetentionName = (typeof retentionNames)[number];

/** Options of operators besides the specification's settings, with their defaults. */
export const preferencesDefault = {
  /** The choice for matches, unless a push has its own. */
  whenInStore: 'skip' as MatchChoice,
  /** Sends our changes to a product changed in the store unless both changed the same part; else a person decides. */
  sendNonOverlapping: true,
  /** Full-auto pushes an import this long after it has passed all gates. */
  autoPushDelayMinutes: 10,
  /** Full-auto leaves imports with more products to a person. */
  autoPushMax: 1000,
  /** Rules fill empty fields at once. Else their values are proposed. */
  rulesFillEmpty: false,
  /** Days; null: for ever. */
  keepRowsDays: null as number | null,
  keepFilesDays: null as number | null,
};
export type Preferences = typeof preferencesDefault;
