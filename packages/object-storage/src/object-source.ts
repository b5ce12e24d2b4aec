import { addAbortSignal } from 'node:stream';
import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import type { ObjectStorage } from './connect.ts';
import { named } from './object-errors.ts';

/** Reopens a connection that ends because its bytes were not read for long. Throws as `getRange` does. */
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
      let at = from;
      while (at < to) {
        const begun = at;
        try {
          const stream = await storage.client.getPartialObject(storage.bucket, key, at, to - at);
          for await (const piece of signal ? addAbortSignal(signal, stream) : stream) {
            at += (piece as Uint8Array).length;
            yield piece;
          }
          return;
        } catch (error) {
          if (signal?.aborted || at === begun) throw named(error);
        }
      }
    },
  };
}
