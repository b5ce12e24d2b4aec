/** Pixels. */
const preparedSideMax = 2048;
const preparedQuality = 0.85;

/** Never larger than the original. */
export function scaledSize({ width, height }: { width: number; height: number }): {
  width: number;
  height: number;
} {
  const scale = Math.min(1, preparedSideMax / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Upright, at most 2,048 pixels a side, JPEG without the camera's data. Returns the file itself if the browser cannot
 * read it, if the JPEG would be larger, and for GIFs, which may be animated.
 */
export async function preparePhoto(file: Blob): Promise<Blob> {
  if (file.type === 'image/gif') return file;
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (bitmap === null) return file;
  try {
    const canvas = drawScaled(bitmap, bitmap);
    const jpeg = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', preparedQuality),
    );
    return jpeg === null || jpeg.size >= file.size ? file : jpeg;
  } finally {
    bitmap.close();
  }
}

/** JPEG has no transparency, so transparent parts become white. */
export function drawScaled(
  picture: CanvasImageSource,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), scaledSize(size));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no canvas');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The content security policy refuses fetch for data URLs. */
export function blobOfDataUrl(url: string): Blob {
  const [head = '', data = ''] = url.split(',', 2);
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? '' });
}
