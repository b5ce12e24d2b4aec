import type { ChosenFile } from './chosen-files.ts';
import type { Upload } from './uploads.ts';

/** A file on the screen: chosen, on its way, or the result of it. At least one of `chosen` and `upload` is set. */
export type FileRow = {
  /** Stays the same while a chosen file becomes an upload. */
  key: string;
  name: string;
  bytes: number;
  chosen: ChosenFile | null;
  upload: Upload | null;
};

/** One row per file. Uploads that were started on another visit of the screen come first; no row changes its place. */
export function fileRows(files: readonly ChosenFile[], uploads: readonly Upload[]): FileRow[] {
  const isChosen = (upload: Upload) => files.some(({ uploadId }) => uploadId === upload.id);
  const others = uploads
    .filter((upload) => !isChosen(upload))
    .map((upload) => ({
      ...{ key: `upload-${upload.id}`, name: upload.filename, bytes: upload.fileBytes },
      ...{ chosen: null, upload },
    }));
  const chosen = files.flatMap((file) => {
    const upload = uploads.find(({ id }) => id === file.uploadId) ?? null;
    if (file.uploadId !== null && upload === null) return [];
    return [{ key: rowKey(file.id), name: file.file.name, bytes: file.file.size, chosen: file, upload }];
  });
  return [...others, ...chosen];
}

/** The key of the row of a chosen file. */
export const rowKey = (id: number): string => `file-${id}`;
