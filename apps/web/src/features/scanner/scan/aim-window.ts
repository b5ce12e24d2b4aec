export type Size = { width: number; height: number };
export type Area = Size & { x: number; y: number };

/** The part of the shown picture in which a code is looked for. The frame on screen has the same part. */
export const aimWidth = 0.8;
export const aimHeight = 0.35;

/** The part of a video that its element shows with `object-fit: cover`. */
export function shownArea(video: Size, element: Size): Area {
  const scale = Math.max(element.width / video.width, element.height / video.height);
  const width = Math.min(video.width, element.width / scale);
  const height = Math.min(video.height, element.height / scale);
  return { x: (video.width - width) / 2, y: (video.height - height) / 2, width, height };
}

/** The aiming frame in pixels of the video. */
export function aimArea(video: Size, element: Size): Area {
  const shown = shownArea(video, element);
  const width = shown.width * aimWidth;
  const height = shown.height * aimHeight;
  return {
    x: Math.round(shown.x + (shown.width - width) / 2),
    y: Math.round(shown.y + (shown.height - height) / 2),
    width: Math.round(width),
    height: Math.round(height),
  };
}
