import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

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

export type CameraVideo<C> = {
  video: RefObject<HTMLVideoElement | null>;
  state: VideoState<C>;
  start: (deviceId: string | null) => void;
};

/** Restarts when a phone comes back from another app that took the camera. */
export function useCameraVideo<C extends Running>({ isOn, open, whenTaken }: Options<C>): CameraVideo<C> {
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
  return { video, state, start: (deviceId) => setAttempt({ deviceId }) };
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
