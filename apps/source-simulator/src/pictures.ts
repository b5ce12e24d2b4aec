import { crc32, deflateSync } from 'node:zlib';

const side = 240;

/** A picture of a product: a square in a color that depends on its code. */
export function pictureOf(code: string): Buffer {
  const hash = crc32(code);
  const color = [96 + (hash & 127), 96 + ((hash >> 8) & 127), 96 + ((hash >> 16) & 127)];
  const row = Buffer.from([0, ...Array.from({ length: side }).flatMap(() => color)]);
  const pixels = Buffer.concat(Array.from({ length: side }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header()),
    chunkOf('IDAT', deflateSync(pixels)),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

/** Width, height, 8 bits per channel, RGB (PNG specification, 11.2.2). */
function header(): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(side, 0);
  bytes.writeUInt32BE(side, 4);
  bytes.set([8, 2, 0, 0, 0], 8);
  return bytes;
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
