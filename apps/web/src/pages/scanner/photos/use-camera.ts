import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../scan/camera.ts';
import { cameraWords } from '../scan/scan-words.ts';

/** Why there is no picture, as a sentence with the way out. */
function cameraRefusal(error: unknown): string {
  const isRefusedToAll = !window.isSecureContext || navigator.mediaDevices === undefined;
  return cameraWords[isRefusedToAll ? 'insecure' : problemOf(error)];
}

/** A back camera, in the quality that a photo needs. */
const cameraConstraints: MediaStreamConstraints = {
  video: { facingMode: 'environment', width: { ideal: 2048 }, height: { ideal: 1536 } },
  audio: false,
};

export type CameraState = { kind: 'starting' } | { kind: 'ready' } | { kind: 'failed'; reason: string };

/**
 * Shows the back camera in a video element while `isOn`. It stops when that ends, and starts again when a phone comes
 * back from another app, which has taken the camera away.
 */
export function useCamera(isOn: boolean) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>({ kind: 'starting' });
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt((count) => count + 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts the camera again
  useEffect(() => {
    if (!isOn) return;
    let isWanted = true;
    let stream: MediaStream | null = null;
    setState({ kind: 'starting' });
    const start = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia(cameraConstraints);
        // Closed while the browser asked the operator.
        if (!isWanted || video.current === null) return stop(stream);
        for (const track of stream.getTracks()) track.addEventListener('ended', onEnded);
        video.current.srcObject = stream;
        await video.current.play();
        if (isWanted) setState({ kind: 'ready' });
      } catch (error) {
        if (!isWanted) return;
        // The specification has the cause in the console only; the dialog explains it.
        console.error('Draftshelf: the camera did not start.', error);
        setState({ kind: 'failed', reason: cameraRefusal(error) });
      }
    };
    const onEnded = () => setState({ kind: 'failed', reason: 'The camera was taken away by the system.' });
    const onVisible = () => {
      if (document.visibilityState === 'visible' && stream?.active === false) again();
    };
    document.addEventListener('visibilitychange', onVisible);
    void start();
    return () => {
      isWanted = false;
      document.removeEventListener('visibilitychange', onVisible);
      if (stream !== null) stop(stream);
    };
  }, [isOn, attempt]);
  return { video, state, again };
}

/** Ends the stream; the camera's light goes off. A track that is stopped this way has no event. */
function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
