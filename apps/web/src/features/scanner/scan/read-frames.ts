import type { CodeReader } from './code-reader.ts';
import type { ReadCode } from './reader-options.ts';

/** More frames would warm the phone and read nothing more. */
const frameMsMin = 1_000 / 12;
/** Wider pictures are scaled down. */
const widthMax = 1_280;
/** After this time without a code some frames are read whole: the code may be outside of the aiming frame. */
const wholeAfterMs = 3_000;
const wholeEvery = 4;

/** Reads one frame at a time and reports each code once it counts. Returns how to stop. */
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
    const frame = seeFrame(sightings, code, performance.now());
    sightings = frame.sightings;
    if (frame.counts && code !== null) report(code);
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

/** Browsers without this call use the next picture of the screen. */
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

type Sightings = {
  /** `frames`: number of agreeing frames in a row. */
  latest: { code: ReadCode; frames: number } | null;
  /** Last sight of each code that counted. */
  seenAtMs: ReadonlyMap<string, number>;
};

export const nothingSeen: Sightings = { latest: null, seenAtMs: new Map() };

/** A code counts again after this time out of sight. */
const awayMs = 1_000;

/** Frames that must agree: product numbers have a check digit that readers verify, others are longer and rarer. */
const framesOf = ({ format }: ReadCode) =>
  format === 'Code128' || format === 'QRCode' || format === 'DataMatrix' ? 3 : 2;

/** Frames without a code do not break a row of agreeing frames, because hands move; another code does. */
export function seeFrame(
  sightings: Sightings,
  code: ReadCode | null,
  nowMs: number,
): { sightings: Sightings; counts: boolean } {
  if (code === null) return { sightings, counts: false };
  const { latest, seenAtMs } = sightings;
  const isSame = latest !== null && latest.code.text === code.text && latest.code.format === code.format;
  const frames = isSame ? latest.frames + 1 : 1;
  const seenAt = seenAtMs.get(code.text);
  const isInSight = seenAt !== undefined && nowMs - seenAt < awayMs;
  const isAgreed = frames >= framesOf(code);
  const counts = isAgreed && !isInSight;
  const times = counts || isInSight ? new Map(seenAtMs).set(code.text, nowMs) : seenAtMs;
  return { sightings: { latest: { code, frames }, seenAtMs: times }, counts };
}

type Size = { width: number; height: number };
type Area = Size & { x: number; y: number };

/** Share of the shown picture that is read. The frame on screen has the same part. */
const aimWidth = 0.8;
const aimHeight = 0.35;

/** The visible part of a video with `object-fit: cover`. */
export function shownArea(video: Size, element: Size): Area {
  const scale = Math.max(element.width / video.width, element.height / video.height);
  const width = Math.min(video.width, element.width / scale);
  const height = Math.min(video.height, element.height / scale);
  return { x: (video.width - width) / 2, y: (video.height - height) / 2, width, height };
}

/** Pixels of the video. */
export function aimArea(video: Size, element: Size): Area {
  const visible = shownArea(video, element);
  const width = visible.width * aimWidth;
  const height = visible.height * aimHeight;
  return {
    x: Math.round(visible.x + (visible.width - width) / 2),
    y: Math.round(visible.y + (visible.height - height) / 2),
    width: Math.round(width),
    height: Math.round(height),
  };
}
