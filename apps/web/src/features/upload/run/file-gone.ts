/** The message for a file that the browser can no longer read. */
export const fileGoneMessage =
  'The file was changed, moved or deleted after you chose it. Choose it again to continue.';

/** Names of the errors that browsers throw when reading such a file. */
const refusals: readonly string[] = ['NotReadableError', 'NotFoundError'];

/** Whether a read failed because the file has changed or is gone. */
export function isFileGoneError(error: unknown): boolean {
  return error instanceof DOMException && refusals.includes(error.name);
}

/** Whether a file has changed or is gone since it was chosen. */
export async function isFileGone(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return false;
  } catch (error) {
    return isFileGoneError(error);
  }
}
