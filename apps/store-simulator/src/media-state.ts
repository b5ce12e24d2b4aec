import type { StoredMedia } from './catalogue.ts';

export type MediaState = 'UPLOADED' | 'PROCESSING' | 'READY' | 'FAILED';

/** Shopify fetches images after it has answered; here an image just gets older, and nothing is fetched. */
const processingAfterMs = 250;
const settledAfterMs = 1_000;

/** An image's state at a moment; an address that contains "broken" ends as one that could not be fetched. */
export function mediaState(media: StoredMedia, nowMs: number): MediaState {
  const ageMs = nowMs - media.addedAtMs;
  if (ageMs < processingAfterMs) return 'UPLOADED';
  if (ageMs < settledAfterMs) return 'PROCESSING';
  return media.originalSource.includes('broken') ? 'FAILED' : 'READY';
}
