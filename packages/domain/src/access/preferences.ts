/** Choices for a product that the store already has under another id. */
export const matchChoices = ['skip', 'update', 'create'] as const;
export type MatchChoice = (typeof matchChoices)[number];

/** Inclusive ranges of the settings of full auto, which pushes imports without an operator. */
export const autoPushRanges = {
  autoPushDelayMinutes: { min: 0, max: 1440 },
  autoPushMax: { min: 1, max: 100_000 },
} as const;

/** Inclusive range of a retention period in days. */
export const keptDaysRange = { min: 1, max: 3650 } as const;

/** Names of the retention periods of rows and files. A period begins when the import ends. */
export const retentionNames = ['keepRowsDays', 'keepFilesDays'] as const;
export type RetentionName = (typeof retentionNames)[number];

/** Defaults of the operator's options beyond the twelve settings. */
export const preferencesDefault = {
  /** The choice for products that the store has under another id, unless a push sets its own choice. */
  whenInStore: 'skip' as MatchChoice,
  /** Whether our changes are sent although other fields of the product were changed in the store. */
  sendNonOverlapping: true,
  /** Minutes that full auto waits before a push, after the import has passed all of its checks. */
  autoPushDelayMinutes: 10,
  /** Maximum number of products in an import that full auto pushes. */
  autoPushMax: 1000,
  /** If true, rules fill empty fields at once. If false, they propose values. */
  rulesFillEmpty: false,
  /** Retention periods in days. Null: kept for ever. */
  keepRowsDays: null as number | null,
  keepFilesDays: null as number | null,
};
export type Preferences = typeof preferencesDefault;
