/** Products per push chunk; the specification's choices. */
export const batchSizes = [10, 25, 50, 100] as const;
/** Minutes between checks of the watched folder, as strings on the wire; the specification's choices. */
export const watchFrequencies = ['5', '15', '30', '60', '120', '360', '720', '1440'] as const;
export const autoProcessModes = ['manual', 'validate-only', 'full-auto'] as const;
export type AutoProcessMode = (typeof autoProcessModes)[number];

/** The specification's twelve settings with their defaults. Other options are preferences. */
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
