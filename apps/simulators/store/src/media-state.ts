import type { StoredMedia } from './catalogue.ts';

export type MediaState = 'UPLOADED' | 'PROCESSING' | 'READY' | 'FAILED';

/** Shopify processes images after it has answered; here nothing is fetched, the state depends on the image's age. */
const processingAfterMs = 250;
const settledAfterMs = 1_000;

/** An image's state at a time. */
export function mediaState(media: StoredMedia, nowMs: number): MediaState {
  const ageMs = nowMs - media.addedAtMs;
  if (ageMs < processingAfterMs) return 'UPLOADED';
  if (ageMs < settledAfterMs) return 'PROCESSING';
  return mediaFailure(media) === null ? 'READY' : 'FAILED';
}

/** The code of the error with which an image's processing ends; an address containing "broken" cannot be downloaded. */
export function mediaFailure(media: StoredMedia): string | null {
  return media.failure ?? (media.originalSource.includes('broken') ? 'IMAGE_DOWNLOAD_FAILURE' : null);
}
