import type { StoreWrites } from '@draftshelf/core/push/store/store-writes';

/** A copy of what the store has: when it was read, and how far our writes had come before. */
export type StoreCopy = { atMs: number; writes: StoreWrites };

/** Changes that are made in the store itself appear this late. */
const keptMs = 30_000;
/** A push writes all the time: reading again after each product would spend its points. */
const keptWhilePushingMs = 5_000;

/**
 * Whether a copy still shows what we have written, in whichever process. When a push ends, it is read again at once;
 * while one runs, after some seconds.
 */
export function isCurrent({ atMs, writes }: StoreCopy, now: StoreCopy): boolean {
  const ageMs = now.atMs - atMs;
  if (ageMs >= keptMs || now.writes.ended !== writes.ended) return false;
  return now.writes.last === writes.last || (now.writes.isPushing && ageMs < keptWhilePushingMs);
}
