/** Who brings the file of an import: an upload, or a watched folder by its kind. */
export const importSources = ['upload', 'local', 'onedrive'] as const;
export type ImportSource = (typeof importSources)[number];
