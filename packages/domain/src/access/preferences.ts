/** Choices for a product that the store already has under another id. */
export const matchChoices = ['skip', 'update', 'create'] as const;
export type MatchChoice = (typeof matchChoices)[number];

/** Ranges of full auto's numbers, inclusive. */
export const autoPushRanges = {
  autoPushDelayMinutes: { min: 0, max: 1440 },
  autoPushMax: { min: 1, max: 100_000 },
} as const;

/** Range of the days of retention, inclusive. */
export const keptDaysRange = { min: 1, max: 3650 } as const;

/** Retention periods of rows and files, from the end of an import. */
export const retentionNames = ['keepRowsDays', 'keepFilesDays'] as const;
export type RetentionName = (typeof retentionNames)[number];

/** Defaults of the options of operators that are not settings. */
export const preferencesDefault = {
  /** The choice for matches, unless a push has its own choice. */
  whenInStore: 'skip' as MatchChoice,
  /** Whether our changes are sent to a product that was changed in the store. If both changed the same part, never. */
  sendNonOverlapping: true,
  /** Minutes between the time at which an import has passed all gates and its push by full auto. */
  autoPushDelayMinutes: 10,
  /** Maximum number of products in an import that full auto pushes. */
  autoPushMax: 1000,
  /** If true, rules fill empty fields at once. If false, they propose values. */
  rulesFillEmpty: false,
  /** Days of retention. Null: kept for ever. */
  keepRowsDays: null as number | null,
  keepFilesDays: null as number | null,
};
export type Preferences = typeof preferencesDefault;
