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

/** What retention removes: rows and files of imports that have ended. */
export const retentionNames = ['keepRowsDays', 'keepFilesDays'] as const;
export type RetentionName = (typeof retentionNames)[number];

/** What operators can set beside the specification's settings. */
export type Preferences = {
  /** What is done with matches unless a push says otherwise. */
  whenInStore: MatchChoice;
  /**
   * Our changes are sent to a product that was changed in the store, unless the same part was changed on both sides.
   * Else such a product waits for a decision.
   */
  sendNonOverlapping: boolean;
  /** Full-auto pushes an import this long after it has passed all gates. */
  autoPushDelayMinutes: number;
  /** Full-auto leaves imports with more products to a person. */
  autoPushMax: number;
  /** Rules fill empty fields at once. Else their values are proposed. */
  rulesFillEmpty: boolean;
  /** Days; null: for ever. */
  keepRowsDays: number | null;
  keepFilesDays: number | null;
};

export const preferencesDefault: Preferences = {
  whenInStore: 'skip',
  sendNonOverlapping: true,
  autoPushDelayMinutes: 10,
  autoPushMax: 1000,
  rulesFillEmpty: false,
  keepRowsDays: null,
  keepFilesDays: null,
};
