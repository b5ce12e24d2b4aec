import { Readable } from 'node:stream';
import type { StoredPhoto } from '@draftshelf/shopify/staged-uploads';

/** The beginning of a PNG of this size, which is all that the simulated store reads of a picture. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(33);
  head.write('89504e470d0a1a0a0000000d49484452', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.write('0806000000', 24, 'hex');
  return head;
}

/** A photo in memory, read in two pieces. */
export function photoOf(bytes: Buffer): StoredPhoto {
  const half = Math.ceil(bytes.length / 2);
  const read = () => Readable.from([bytes.subarray(0, half), bytes.subarray(half)], { objectMode: false });
  return { contentType: 'image/png', bytes: bytes.length, read };
}
