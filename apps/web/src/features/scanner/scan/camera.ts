import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CodeReader } from './code-reader.ts';
import type { ReadCode } from './reader-options.ts';

type CameraProblem = 'denied' | 'none' | 'in-use' | 'taken' | 'insecure' | 'failed';

export type Camera = {
  stream: MediaStream;
  /** Back cameras, this one included. */
  lenses: readonly string[];
  deviceId: string;
  hasTorch: boolean;
  setTorch(isOn: boolean): Promise<void>;
  stop(): void;
};

export const cameraWords: Record<CameraProblem, string> = {
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

/** Capabilities beyond the standard that TypeScript knows. */
type Capabilities = MediaTrackCapabilities & {
  torch?: boolean;
  zoom?: { min: number; max: number };
  focusMode?: string[];
};

const lensKey = 'draftshelf-lens';
/** Setting the focus has no effect earlier. */
const focusAfterMs = 300;
/** A magnified picture makes the operator hold the phone further away, where its main lens is sharp. */
const zoomFactor = 2;

/** Opens `deviceId`, else the last chosen camera, else the best by name. Rejects with the browser's error. */
export async function openCamera(deviceId: string | null): Promise<Camera> {
  const lensId = deviceId ?? localStorage.getItem(lensKey);
  let stream = await request(lensId).catch((error: unknown) => {
    // The last chosen camera is gone.
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

/** The camera's light and torch go off with its tracks. */
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
  /** `deviceId` null: the best camera. Rejects with the browser's error. */
  open: (deviceId: string | null) => Promise<C>;
  /** The problem when the system takes the camera away. */
  whenTaken: CameraProblem;
};

/** Restarts when a phone comes back from another app that took the camera. */
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

/** Closed while the browser still asks, it stops as soon as it starts. */
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
      // A track that `stop` ends has no such event.
      for (const track of camera.stream.getTracks()) {
        track.addEventListener('ended', () => show({ kind: 'stopped', problem: whenTaken }));
      }
      video.current.srcObject = camera.stream;
      await video.current.play();
      if (!isClosed) show({ kind: 'running', camera });
    } catch (error) {
      if (isClosed) return;
      // The console gets the browser's own words.
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
