import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import type { ObjectStorage } from './connect.ts';
import { named } from './object-errors.ts';

/** A stored object as a file that is read by ranges. Reads throw as `getRange` does. */
export function objectSource(storage: ObjectStorage, key: string, bytes: number): ByteSource {
  return {
    bytes,
    async *stream(from, to) {
      // The client reads to the end if the length is 0.
      if (to <= from) return;
      try {
        yield* await storage.client.getPartialObject(storage.bucket, key, from, to - from);
      } catch (error) {
        throw named(error);
      }
    },
  };
}
