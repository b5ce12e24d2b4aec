import { nothingSeen, seeFrame } from './accept-code.ts';
import { aimArea } from './aim-window.ts';
import type { CodeReader } from './code-reader.ts';
import type { ReadCode } from './reader-options.ts';

/** At most 12 frames a second: more would warm the phone and read nothing more. */
const frameMsMin = 1_000 / 12;
/** Wider pictures are scaled down. */
const widthMax = 1_280;
/** After this time without a code, some frames are read as a whole: the code may not be in the aiming frame. */
const wholeAfterMs = 3_000;
/** One of so many frames then. */
const wholeEvery = 4;

/** Reads the frames of a video, one at a time, and reports each code once it counts. Returns how to stop. */
export function readFrames(
  video: HTMLVideoElement,
  reader: CodeReader,
  report: (code: ReadCode) => void,
): () => void {
  let isStopped = false;
  let sightings = nothingSeen;
  let seenMs = performance.now();
  let frames = 0;
  const step = async () => {
    const beganMs = performance.now();
    frames += 1;
    const isWhole = beganMs - seenMs > wholeAfterMs && frames % wholeEvery === 0;
    const picture = await frameOf(video, isWhole).catch(() => null);
    // A closed or broken reader reads nothing more.
    const code = picture === null ? null : await reader.read(picture).catch(() => null);
    if (isStopped) return;
    if (code !== null) seenMs = performance.now();
    const seen = seeFrame(sightings, code, performance.now());
    sightings = seen.sightings;
    if (seen.counts && code !== null) report(code);
    setTimeout(
      () => nextFrame(video, () => void step()),
      Math.max(0, beganMs + frameMsMin - performance.now()),
    );
  };
  nextFrame(video, () => void step());
  return () => {
    isStopped = true;
  };
}

/** Calls back with the next picture of the camera; browsers without this call with the next one of the screen. */
function nextFrame(video: HTMLVideoElement, then: () => void): void {
  if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(then);
  else requestAnimationFrame(then);
}

async function frameOf(video: HTMLVideoElement, isWhole: boolean): Promise<ImageBitmap | null> {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  if (videoWidth === 0 || clientWidth === 0) return null;
  const size = { width: videoWidth, height: videoHeight };
  const area = isWhole
    ? { x: 0, y: 0, ...size }
    : aimArea(size, { width: clientWidth, height: clientHeight });
  const width = Math.min(area.width, widthMax);
  const height = Math.round((area.height * width) / area.width);
  return createImageBitmap(video, area.x, area.y, area.width, area.height, {
    resizeWidth: width,
    resizeHeight: height,
  });
}
