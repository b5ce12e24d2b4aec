import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { createTurns } from '../http/turns.ts';

/** The longest wait for another request's photo. A slower request has been ended by then. */
const waitMsMax = 20_000;

/** The right to have one photo in memory, with the buffer for it. */
export type HeldSlot = { buffer: Buffer; release(): void };

export type PhotoSlot = {
  /** Waits for the slot. Throws a Refusal (409 busy) after 20 s. */
  hold(): Promise<HeldSlot>;
  isAwaited(): boolean;
};

/** Lets one request at a time hold a photo. All share one buffer, because each new one would leave 10 MB of garbage. */
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
