import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CameraProblem, problemOf } from './camera.ts';

/** A camera that runs. */
type Running = { stream: MediaStream; stop(): void };

export type VideoState<C> =
  | { kind: 'starting' }
  | { kind: 'running'; camera: C }
  | { kind: 'stopped'; problem: CameraProblem };

type Options<C> = {
  /** The camera runs only while this is true. */
  isOn: boolean;
  /** Starts a camera; `deviceId` null: the best one. Rejected with an error of the browser. */
  open: (deviceId: string | null) => Promise<C>;
  /** The problem when the system takes the camera away. */
  whenTaken: CameraProblem;
};

export type CameraVideo<C> = {
  video: RefObject<HTMLVideoElement | null>;
  state: VideoState<C>;
  /** Starts a camera again. */
  start: (deviceId: string | null) => void;
};

/**
 * Shows a camera in a video element. A phone that comes back from another app, which took the camera away, gets it
 * again.
 */
export function useCameraVideo<C extends Running>({ isOn, open, whenTaken }: Options<C>): CameraVideo<C> {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<VideoState<C>>({ kind: 'starting' });
  const [wanted, setWanted] = useState<{ deviceId: string | null }>({ deviceId: null });
  const begin = useEffectEvent((deviceId: string | null) =>
    openInto(video, { open: () => open(deviceId), whenTaken, show: setState }),
  );
  useEffect(() => {
    if (!isOn) return;
    const opening = begin(wanted.deviceId);
    const onVisible = () => {
      if (document.visibilityState === 'visible' && opening.isLost()) setWanted({ deviceId: null });
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      opening.close();
    };
  }, [isOn, wanted]);
  return { video, state, start: (deviceId) => setWanted({ deviceId }) };
}

type Opening<C> = {
  open: () => Promise<C>;
  whenTaken: CameraProblem;
  show: (state: VideoState<C>) => void;
};

/** Starts a camera and shows it. Closed while the browser still asks, it stops as soon as it starts. */
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
      // The view explains it; the console has the browser's own words.
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
