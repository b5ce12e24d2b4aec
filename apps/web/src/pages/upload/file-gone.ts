/** What is said of a file that the browser may not read any more. */
export const fileGoneMessage =
  'The file was changed, moved or deleted after you chose it. Choose it again to continue.';

/** The names of the errors with which a browser refuses to read such a file. */
const refusals: readonly string[] = ['NotReadableError', 'NotFoundError'];

/** Whether reading a file failed because it is no longer the one that was chosen. */
export function tellsFileGone(error: unknown): boolean {
  return error instanceof DOMException && refusals.includes(error.name);
}

/** Whether a file is no longer the one that was chosen. */
export async function isFileGone(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return false;
  } catch (error) {
    return tellsFileGone(error);
  }
}
