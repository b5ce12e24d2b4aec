import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { createTurns } from '../http/turns.ts';

/** A request waits this long for others that have photos in memory: until a slow one has been ended. */
const waitMsMax = 20_000;

/** The right to have one photo in memory, and the memory for it. */
export type HeldSlot = { buffer: Buffer; release(): void };

/** Lets one request at a time have a photo in memory. */
export type PhotoSlot = {
  /** Waits for the slot. Throws a Refusal (409 busy) after 20 s. */
  hold(): Promise<HeldSlot>;
  /** Whether a request waits for it. */
  isAwaited(): boolean;
};

/** Creates a slot. Its buffer is kept for the next photo: new ones would leave 10 MB of garbage each. */
export function createPhotoSlot(): PhotoSlot {
  const inTurn = createTurns({ max: 1, waitMsMax });
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
