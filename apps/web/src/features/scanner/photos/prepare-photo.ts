/** The longest side of a prepared photo, in pixels. */
const preparedSideMax = 2048;
/** The quality of a prepared JPEG. */
const preparedQuality = 0.85;

/** The size that fits the longest side, with the same proportions. Never larger than the original. */
export function scaledSize({ width, height }: { width: number; height: number }): {
  width: number;
  height: number;
} {
  const scale = Math.min(1, preparedSideMax / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * A photo as it is sent: upright, at most 2,048 pixels a side, as JPEG without the camera's data. The file itself if
 * this browser cannot read it, if that would be larger, and for GIFs, which may be animated.
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

/** A picture on a canvas of the scaled size. JPEG has no transparency: what was transparent is white. */
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

/** The bytes of a base64 data URL. Not with fetch, which the content security policy refuses for data URLs. */
export function blobOfDataUrl(url: string): Blob {
  const [head = '', data = ''] = url.split(',', 2);
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? '' });
}
