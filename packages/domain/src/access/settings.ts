/** Choices for the number of products in a push chunk. */
export const batchSizes = [10, 25, 50, 100] as const;
/** Choices for the minutes between looks at the watched folder, as strings on the wire. */
export const watchFrequencies = ['5', '15', '30', '60', '120', '360', '720', '1440'] as const;
export const autoProcessModes = ['manual', 'validate-only', 'full-auto'] as const;
export type AutoProcessMode = (typeof autoProcessModes)[number];

/** Defaults of the twelve settings. Other options are preferences. */
export const settingsDefault = {
  draftMode: true,
  batchSize: 25 as (typeof batchSizes)[number],
  autoRetry: false,
  aiValidation: true,
  upcLookup: true,
  oneDriveEnabled: false,
  oneDriveFolder: '',
  watchFrequency: '30' as (typeof watchFrequencies)[number],
  autoProcessMode: 'manual' as AutoProcessMode,
  deleteAfterProcess: false,
  moveToArchive: false,
  notifyOnCompletion: false,
};
export type Settings = typeof settingsDefault;
