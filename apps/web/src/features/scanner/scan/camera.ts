/** The reason why there is no live picture. */
export type CameraProblem = 'denied' | 'none' | 'in-use' | 'taken' | 'insecure' | 'failed';

/** A camera that runs. */
export type Camera = {
  stream: MediaStream;
  /** The ids of the back cameras, this one included. */
  lenses: readonly string[];
  deviceId: string;
  hasTorch: boolean;
  setTorch(isOn: boolean): Promise<void>;
  stop(): void;
};

const byName: Record<string, CameraProblem> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'in-use',
  AbortError: 'in-use',
};

export const problemOf = (error: unknown): CameraProblem =>
  (error instanceof Error ? byName[error.name] : undefined) ?? 'failed';

/** Properties of a camera in browsers beyond the standard that TypeScript knows. */
type Capabilities = MediaTrackCapabilities & {
  torch?: boolean;
  zoom?: { min: number; max: number };
  focusMode?: string[];
};

const lensKey = 'draftshelf-lens';
/** Setting the focus has no effect earlier. */
const focusAfterMs = 300;
/** With a magnified picture the operator holds the phone further away, where its main lens is sharp. */
const zoomWanted = 2;

/**
 * Starts a back camera in the resolution that small codes need: `deviceId`, or the one that was chosen last, or the
 * best one by its name. Rejected with an error of the browser, which `problemOf` reads.
 */
export async function openCamera(deviceId: string | null): Promise<Camera> {
  const chosen = deviceId ?? localStorage.getItem(lensKey);
  let stream = await request(chosen).catch((error: unknown) => {
    // The camera that was chosen last is not there any more.
    if (chosen === null || deviceId !== null || problemOf(error) !== 'none') throw error;
    return request(null);
  });
  const lenses = backCameras(await navigator.mediaDevices.enumerateDevices());
  const best = lenses.find(({ label }) => /triple|dual wide/i.test(label));
  if (chosen === null && best && best.deviceId !== deviceIdOf(stream)) {
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
    ...(zoom && zoom.max >= zoomWanted ? { zoom: Math.max(zoom.min, zoomWanted) } : {}),
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

/** Ends a stream. The light of the camera goes off with its tracks, and the torch too. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
