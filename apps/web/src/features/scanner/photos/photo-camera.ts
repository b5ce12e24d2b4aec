import { stopTracks } from '../scan/camera.ts';

/** Starts a back camera in the quality that a photo needs. Rejected with an error of the browser. */
export async function openPhotoCamera() {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 2048 }, height: { ideal: 1536 } },
    audio: false,
  });
  return { stream, stop: () => stopTracks(stream) };
}
