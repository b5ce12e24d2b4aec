import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CodeReader } from './code-reader.ts';
import type { ScannedCode } from './reader-options.ts';

type CameraProblem = 'denied' | 'none' | 'in-use' | 'taken' | 'insecure' | 'failed';

export type Camera = {
  stream: MediaStream;
  /** Device ids of the back cameras and of the open camera. */
  lenses: readonly string[];
  deviceId: string;
  hasTorch: boolean;
  setTorch(isOn: boolean): Promise<void>;
  stop(): void;
};

export const cameraProblemWords: Record<CameraProblem, string> = {
  denied: 'The camera is blocked for this site. Allow it in the browser’s address bar, then try again.',
  none: 'No camera was found.',
  'in-use': 'Another app is using the camera. Close it, then try again.',
  taken: 'The system stopped the camera.',
  insecure:
    'Browsers give the camera to https addresses only. Use a photo instead, or open this page over https.',
  failed: 'Couldn’t start the camera.',
};

const byName: Record<string, CameraProblem> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'in-use',
  AbortError: 'in-use',
};

const problemOf = (error: unknown): CameraProblem =>
  (error instanceof Error ? byName[error.name] : undefined) ?? 'failed';

/** Capabilities that are missing in TypeScript's types. */
type Capabilities = MediaTrackCapabilities & {
  torch?: boolean;
  zoom?: { min: number; max: number };
  focusMode?: string[];
};

const lensKey = 'draftshelf-lens';
/** Time after the camera's start before which setting the focus has no effect. */
const focusAfterMs = 300;
/** At this zoom, operators hold the phone further away, where its main lens is sharp. */
const zoomFactor = 2;

/** Opens camera `deviceId`. If null, opens the last chosen camera, else the best. Rejects with the browser's error. */
export async function openCamera(deviceId: string | null): Promise<Camera> {
  const lensId = deviceId ?? localStorage.getItem(lensKey);
  let stream = await request(lensId).catch((error: unknown) => {
    // If the last chosen camera no longer exists, the default camera is opened.
    if (lensId === null || deviceId !== null || problemOf(error) !== 'none') throw error;
    return request(null);
  });
  const lenses = backCameras(await navigator.mediaDevices.enumerateDevices());
  const best = lenses.find(({ label }) => /triple|dual wide/i.test(label));
  if (lensId === null && best && best.deviceId !== deviceIdOf(stream)) {
    stopTracks(stream);
    stream = await request(best.deviceId);
  }
  if (deviceId !== null) localStorage.setItem(lensKey, deviceId);
  return cameraOf(
    stream,
    lenses.map((lens) => lens.deviceId),
  );
}

function request(deviceId: string | null): Promise<MediaStream> {
  const which = deviceId === null ? { facingMode: 'environment' } : { deviceId: { exact: deviceId } };
  return navigator.mediaDevices.getUserMedia({
    video: { ...which, width: { ideal: 1920 }, height: { ideal: 1080 } },
    audio: false,
  });
}

function backCameras(devices: readonly MediaDeviceInfo[]): MediaDeviceInfo[] {
  const cameras = devices.filter(({ kind }) => kind === 'videoinput');
  const back = cameras.filter(({ label }) => /back|rear|environment/i.test(label));
  return back.length > 0 ? back : cameras;
}

function cameraOf(stream: MediaStream, lenses: readonly string[]): Camera {
  const [track] = stream.getVideoTracks();
  const can: Capabilities = track?.getCapabilities?.() ?? {};
  const apply = (set: object) => track?.applyConstraints({ advanced: [set] }) ?? Promise.resolve();
  const { zoom, focusMode } = can;
  const set = {
    ...(zoom && zoom.max >= zoomFactor ? { zoom: Math.max(zoom.min, zoomFactor) } : {}),
    ...(focusMode?.includes('continuous') ? { focusMode: 'continuous' } : {}),
  };
  if (Object.keys(set).length > 0) setTimeout(() => apply(set).catch(() => {}), focusAfterMs);
  return {
    stream,
    lenses,
    deviceId: deviceIdOf(stream),
    hasTorch: can.torch ?? false,
    setTorch: (isOn) => apply({ torch: isOn }),
    stop: () => stopTracks(stream),
  };
}

const deviceIdOf = (stream: MediaStream) => stream.getVideoTracks()[0]?.getSettings().deviceId ?? '';

/** Stops the tracks, which turns off the camera's light and torch. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

type Running = { stream: MediaStream; stop(): void };

type VideoState<C> =
  | { kind: 'starting' }
  | { kind: 'running'; camera: C }
  | { kind: 'stopped'; problem: CameraProblem };

type Options<C> = {
  isOn: boolean;
  /** Opens the camera `deviceId`, or the best camera if null. Rejects with the browser's error. */
  open: (deviceId: string | null) => Promise<C>;
  /** The problem to show if the system ends the use of the camera. */
  whenTaken: CameraProblem;
};

/** Shows the camera's picture. If another app has taken the camera, restarts it when the operator returns. */
export function useCameraVideo<C extends Running>({ isOn, open, whenTaken }: Options<C>) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<VideoState<C>>({ kind: 'starting' });
  const [attempt, setAttempt] = useState<{ deviceId: string | null }>({ deviceId: null });
  const begin = useEffectEvent((deviceId: string | null) =>
    openInto(video, { open: () => open(deviceId), whenTaken, show: setState }),
  );
  useEffect(() => {
    if (!isOn) return;
    const opening = begin(attempt.deviceId);
    const onVisible = () => {
      if (document.visibilityState === 'visible' && opening.isLost()) setAttempt({ deviceId: null });
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      opening.close();
    };
  }, [isOn, attempt]);
  return { video, state, start: (deviceId: string | null) => setAttempt({ deviceId }) };
}

type Opening<C> = { open: () => Promise<C>; whenTaken: CameraProblem; show: (state: VideoState<C>) => void };

/** Opens the camera. If `close` is called while the browser asks for permission, the camera stops once it is open. */
function openInto<C extends Running>(
  video: RefObject<HTMLVideoElement | null>,
  { open, whenTaken, show }: Opening<C>,
): { isLost(): boolean; close(): void } {
  let isClosed = false;
  let camera: C | null = null;
  const begin = async () => {
    show({ kind: 'starting' });
    try {
      camera = await open();
      if (isClosed || video.current === null) return camera.stop();
      // A track fires `ended` only if the system ends the track, not if `stop` does.
      for (const track of camera.stream.getTracks()) {
        track.addEventListener('ended', () => show({ kind: 'stopped', problem: whenTaken }));
      }
      video.current.srcObject = camera.stream;
      await video.current.play();
      if (!isClosed) show({ kind: 'running', camera });
    } catch (error) {
      if (isClosed) return;
      // The console shows the browser's own message.
      console.error('Draftshelf: the camera did not start.', error);
      const isInsecure = !window.isSecureContext || navigator.mediaDevices === undefined;
      show({ kind: 'stopped', problem: isInsecure ? 'insecure' : problemOf(error) });
    }
  };
  void begin();
  return {
    isLost: () => camera?.stream.active === false,
    close() {
      isClosed = true;
      camera?.stop();
    },
  };
}

/** Minimum time between frames. More frames would heat the phone without reading more codes. */
const frameMsMin = 1_000 / 12;
/** Wider frames are scaled down to this width in pixels. */
const widthMax = 1_280;
/** After this time without a code, every fourth frame is read in full: the code may be outside of the aiming area. */
const wholeAfterMs = 3_000;
const wholeEvery = 4;

/** Reads one frame at a time. Reports each code on which enough frames agree. Returns a function that stops. */
export function readFrames(
  video: HTMLVideoElement,
  reader: CodeReader,
  report: (code: ScannedCode) => void,
): () => void {
  let isStopped = false;
  let sightings = noSightings;
  let seenMs = performance.now();
  let frames = 0;
  const step = async () => {
    const beganMs = performance.now();
    frames += 1;
    const isWhole = beganMs - seenMs > wholeAfterMs && frames % wholeEvery === 0;
    const picture = await frameOf(video, isWhole).catch(() => null);
    // A reader that is closed or broken finds no code.
    const code = picture === null ? null : await reader.read(picture).catch(() => null);
    if (isStopped) return;
    if (code !== null) seenMs = performance.now();
    const frame = addFrame(sightings, code, performance.now());
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

/** Waits for the next video frame, or in browsers without this call for the next animation frame. */
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
    : computeAimArea(size, { width: clientWidth, height: clientHeight });
  const width = Math.min(area.width, widthMax);
  const height = Math.round((area.height * width) / area.width);
  return createImageBitmap(video, area.x, area.y, area.width, area.height, {
    resizeWidth: width,
    resizeHeight: height,
  });
}

type Sightings = {
  /** The code that was read last. `frames`: number of frames in a row with this code. */
  latest: { code: ScannedCode; frames: number } | null;
  /** Time at which each counted code was last seen. */
  seenAtMs: ReadonlyMap<string, number>;
};

export const noSightings: Sightings = { latest: null, seenAtMs: new Map() };

/** A counted code counts again after it was out of sight for this time. */
const awayMs = 1_000;

/** Returns the number of frames that must agree on a code. Formats without a check digit need more frames. */
const framesOf = ({ format }: ScannedCode) =>
  format === 'Code128' || format === 'QRCode' || format === 'DataMatrix' ? 3 : 2;

/** Adds a frame. A series of equal codes continues after frames without a code, but ends with another code. */
export function addFrame(
  sightings: Sightings,
  code: ScannedCode | null,
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

/** Width and height of the aiming area as shares of the shown picture. Only this area is read. */
const aimWidth = 0.8;
const aimHeight = 0.35;

/** Returns the visible part of a video with `object-fit: cover`. */
export function computeShownArea(video: Size, element: Size): Area {
  const scale = Math.max(element.width / video.width, element.height / video.height);
  const width = Math.min(video.width, element.width / scale);
  const height = Math.min(video.height, element.height / scale);
  return { x: (video.width - width) / 2, y: (video.height - height) / 2, width, height };
}

/** Returns the aiming area in pixels of the video. */
export function computeAimArea(video: Size, element: Size): Area {
  const visible = computeShownArea(video, element);
  const width = visible.width * aimWidth;
  const height = visible.height * aimHeight;
  return {
    x: Math.round(visible.x + (visible.width - width) / 2),
    y: Math.round(visible.y + (visible.height - height) / 2),
    width: Math.round(width),
    height: Math.round(height),
  };
}
