import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Camera, type CameraProblem, openCamera, problemOf } from './camera.ts';

export type CameraState =
  | { kind: 'starting' }
  | { kind: 'running'; camera: Camera; hasTorchOn: boolean }
  | { kind: 'stopped'; problem: CameraProblem };

type ScanCamera = {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  /** Starts the camera again. */
  again: () => void;
  /** Goes on to the next back camera. */
  changeLens: () => void;
  switchTorch: () => void;
};

/**
 * Shows a back camera in a video element while the component is mounted. A phone that comes back from another app,
 * which took the camera away, gets it again.
 */
export function useScanCamera(): ScanCamera {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>({ kind: 'starting' });
  const [start, setStart] = useState<{ deviceId: string | null }>({ deviceId: null });
  useEffect(() => {
    const opening = openInto(video, start.deviceId, setState);
    return () => opening.close();
  }, [start]);
  const onReturn = useEffectEvent(() => {
    const isLost = state.kind === 'running' && !state.camera.stream.active;
    if (document.visibilityState === 'visible' && isLost) setStart({ deviceId: null });
  });
  useEffect(() => {
    const onChange = () => onReturn();
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return {
    video,
    state,
    again: () => setStart({ deviceId: null }),
    changeLens() {
      if (state.kind !== 'running') return;
      const { lenses, deviceId } = state.camera;
      setStart({ deviceId: lenses[(lenses.indexOf(deviceId) + 1) % lenses.length] ?? null });
    },
    switchTorch() {
      if (state.kind !== 'running') return;
      const isOn = !state.hasTorchOn;
      state.camera.setTorch(isOn).then(
        () => setState({ ...state, hasTorchOn: isOn }),
        () => {},
      );
    },
  };
}

/** Starts a camera and shows it. Closed while the browser still asks, it stops as soon as it starts. */
function openInto(
  video: RefObject<HTMLVideoElement | null>,
  deviceId: string | null,
  show: (state: CameraState) => void,
): { close(): void } {
  let isWanted = true;
  let camera: Camera | null = null;
  const stopped = (problem: CameraProblem) => {
    if (isWanted) show({ kind: 'stopped', problem });
  };
  const begin = async () => {
    if (!window.isSecureContext || navigator.mediaDevices === undefined) return stopped('insecure');
    show({ kind: 'starting' });
    try {
      camera = await openCamera(deviceId);
      if (!isWanted || video.current === null) return camera.stop();
      for (const track of camera.stream.getTracks()) track.addEventListener('ended', () => stopped('in-use'));
      video.current.srcObject = camera.stream;
      await video.current.play();
      if (isWanted) show({ kind: 'running', camera, hasTorchOn: false });
    } catch (error) {
      if (!isWanted) return;
      // The view explains it; the console has the browser's own words.
      console.error('Draftshelf: the camera did not start.', error);
      stopped(problemOf(error));
    }
  };
  void begin();
  return {
    close() {
      isWanted = false;
      camera?.stop();
    },
  };
}
