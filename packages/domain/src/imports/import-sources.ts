/** The origin of an import's file: an upload, or a watched folder by its kind. */
export const importSources = ['upload', 'local', 'onedrive'] as const;
export type ImportSource = (typeof importSources)[number];
