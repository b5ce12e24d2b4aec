import { addAbortSignal } from 'node:stream';
import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import type { ObjectStorage } from './connect.ts';
import { named } from './object-errors.ts';

/** A stored object as a file that is read by ranges. Reads throw as `getRange` does, and AbortError by the signal. */
export function objectSource(
  storage: ObjectStorage,
  key: string,
  bytes: number,
  signal?: AbortSignal,
): ByteSource {
  return {
    bytes,
    async *stream(from, to) {
      // The client reads to the end if the length is 0.
      if (to <= from) return;
      try {
        const stream = await storage.client.getPartialObject(storage.bucket, key, from, to - from);
        yield* signal ? addAbortSignal(signal, stream) : stream;
      } catch (error) {
        throw named(error);
      }
    },
  };
}
