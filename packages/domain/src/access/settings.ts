/** Products per push chunk; the specification's choices. */
export const batchSizes = [10, 25, 50, 100] as const;
/** Minutes between checks of the watched folder, as strings on the wire; the specification's choices. */
export const watchFrequencies = ['5', '15', '30', '60', '120', '360', '720', '1440'] as const;
export const autoProcessModes = ['manual', 'validate-only', 'full-auto'] as const;
export type AutoProcessMode = (typeof autoProcessModes)[number];

/** The specification's twelve settings. Other options are preferences. */
export type Settings = {
  draftMode: boolean;
  batchSize: (typeof batchSizes)[number];
  autoRetry: boolean;
  aiValidation: boolean;
  upcLookup: boolean;
  oneDriveEnabled: boolean;
  oneDriveFolder: string;
  watchFrequency: (typeof watchFrequencies)[number];
  autoProcessMode: AutoProcessMode;
  deleteAfterProcess: boolean;
  moveToArchive: boolean;
  notifyOnCompletion: boolean;
};

export const settingsDefault: Settings = {
  draftMode: true,
  batchSize: 25,
  autoRetry: false,
  aiValidation: true,
  upcLookup: true,
  oneDriveEnabled: false,
  oneDriveFolder: '',
  watchFrequency: '30',
  autoProcessMode: 'manual',
  deleteAfterProcess: false,
  moveToArchive: false,
  notifyOnCompletion: false,
};
