/** Origins of an import's file: an upload, a kind of watched folder, or the address of a supplier's list. */
export const importSources = ['upload', 'local', 'onedrive', 'address'] as const;
export type ImportSource = (typeof importSources)[number];
