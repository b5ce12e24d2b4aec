import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { createTurnQueue } from '../http/turns.ts';

/** Maximum wait for another request's photo. A request that is too slow has been ended by then. */
const waitMsMax = 20_000;

/** Permission to have one photo in memory, with the buffer for the photo. */
export type HeldSlot = { buffer: Buffer; release(): void };

export type PhotoSlot = {
  /** Waits for the slot. Throws a Refusal (409 busy) after 20 s. */
  hold(): Promise<HeldSlot>;
  isAwaited(): boolean;
};

/** Lets one request at a time have a photo in memory. All share one buffer: a new one would leave 10 MB of garbage. */
export function createPhotoSlot(): PhotoSlot {
  const inTurn = createTurnQueue({ max: 1, waitMsMax });
  let buffer: Buffer | undefined;
  return {
    isAwaited: inTurn.isAwaited,
    async hold() {
      const held = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      inTurn(() => {
        held.resolve();
        return released.promise;
      }).catch(held.reject);
      await held.promise;
      buffer ??= Buffer.allocUnsafeSlow(photoBytesMax);
      return { buffer, release: released.resolve };
    },
  };
}
