import { useState } from 'react';
import { type Camera, openCamera } from './camera.ts';
import { type CameraVideo, useCameraVideo } from './use-camera-video.ts';

type ScanCamera = Pick<CameraVideo<Camera>, 'video' | 'state'> & {
  hasTorchOn: boolean;
  /** Starts the camera again. */
  again: () => void;
  /** Goes on to the next back camera. */
  changeLens: () => void;
  switchTorch: () => void;
};

/** Shows the back camera that reads codes best in a video element while the component is mounted. */
export function useScanCamera(): ScanCamera {
  const { video, state, start } = useCameraVideo({ isOn: true, open: openCamera, whenTaken: 'in-use' });
  const [lit, setLit] = useState<Camera | null>(null);
  const camera = state.kind === 'running' ? state.camera : null;
  const hasTorchOn = camera !== null && camera === lit;
  return {
    video,
    state,
    hasTorchOn,
    again: () => start(null),
    changeLens() {
      if (camera === null) return;
      const { lenses, deviceId } = camera;
      start(lenses[(lenses.indexOf(deviceId) + 1) % lenses.length] ?? null);
    },
    switchTorch() {
      camera?.setTorch(!hasTorchOn).then(
        () => setLit(hasTorchOn ? null : camera),
        () => {},
      );
    },
  };
}
