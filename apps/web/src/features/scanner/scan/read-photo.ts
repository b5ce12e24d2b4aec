import type { CodeReader } from './code-reader.ts';
import type { ReadCode } from './reader-options.ts';

/** Phones limit canvases to about 16 megapixels, and codes are read well below that. */
const sideMax = 3_000;

/**
 * The code in a photo; null: none was found. Rejected if the file is no picture that the browser reads. A photo in
 * which nothing is found at full size is read once more at half of it, which blurred codes need.
 */
export async function readPhoto(reader: CodeReader, file: Blob): Promise<ReadCode | null> {
  const whole = await createImageBitmap(file);
  const scale = Math.min(1, sideMax / Math.max(whole.width, whole.height));
  const sized = (by: number) =>
    createImageBitmap(whole, {
      resizeWidth: Math.max(1, Math.round(whole.width * by)),
      resizeHeight: Math.max(1, Math.round(whole.height * by)),
      resizeQuality: 'medium',
    });
  try {
    return (await reader.read(await sized(scale))) ?? (await reader.read(await sized(scale / 2)));
  } finally {
    whole.close();
  }
}
