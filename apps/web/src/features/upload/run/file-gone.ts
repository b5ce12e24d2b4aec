export const fileGoneMessage =
  'The file was changed, moved or deleted after you chose it. Choose it again to continue.';

/** Browsers throw these when reading a file that has changed or is gone. */
const refusals: readonly string[] = ['NotReadableError', 'NotFoundError'];

export const isFileGoneError = (error: unknown): boolean =>
  error instanceof DOMException && refusals.includes(error.name);

export async function isFileGone(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return false;
  } catch (error) {
    return isFileGoneError(error);
  }
}
