import type { StoredMedia } from './catalogue.ts';

export type MediaState = 'UPLOADED' | 'PROCESSING' | 'READY' | 'FAILED';

/** Shopify fetches images after it has answered; here nothing is fetched, the state depends on the image's age. */
const processingAfterMs = 250;
const settledAfterMs = 1_000;

/** An image's state at a time; an address containing "broken" ends as failed. */
export function mediaState(media: StoredMedia, nowMs: number): MediaState {
  const ageMs = nowMs - media.addedAtMs;
  if (ageMs < processingAfterMs) return 'UPLOADED';
  if (ageMs < settledAfterMs) return 'PROCESSING';
  return media.originalSource.includes('broken') ? 'FAILED' : 'READY';
}
