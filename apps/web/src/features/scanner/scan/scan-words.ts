import type { CameraProblem } from './camera.ts';

/** A state without a live picture: what is wrong, and what to do. */
export const cameraWords: Record<CameraProblem, string> = {
  denied: 'The camera is blocked for this site. Allow it in the browser’s address bar, then try again.',
  none: 'No camera was found.',
  'in-use': 'Another app is using the camera. Close it, then try again.',
  taken: 'The camera was taken away by the system.',
  insecure:
    'Browsers give the camera to https addresses only. Use a photo instead, or open this page over https.',
  failed: 'The camera didn’t start.',
};

export const readerWords = 'The code reader couldn’t be loaded.';
export const aimWords = 'Hold the code in the frame.';
export const distanceWords = 'Move back a little, and keep the code in the light.';
export const noCodeWords = 'No code was found in this photo. Take it closer, and in better light.';
export const noPictureWords = 'This file isn’t a picture that the browser can read.';
