import { crc32, deflateSync } from 'node:zlib';

const side = 240;

type Color = readonly [red: number, green: number, blue: number];

/** Whether a point is on the product; both coordinates are from -1 to 1, with y down. */
type Shape = (x: number, y: number) => boolean;

const shapes: readonly Shape[] = [
  // A round bowl, a vase with a neck, a box and a lamp.
  (x, y) => y > -0.2 && x * x + (y + 0.2) ** 2 < 0.42,
  (x, y) => x * x * 1.4 + (y - 0.25) ** 2 < 0.2 || (Math.abs(x) < 0.14 && y > -0.62 && y < 0),
  (x, y) => Math.abs(x) < 0.5 && Math.abs(y) < 0.5,
  (x, y) => (y < 0 && y > -0.6 && Math.abs(x) < 0.55 + y / 2) || (Math.abs(x) < 0.07 && y >= 0 && y < 0.6),
];

/** A picture of a product: a simple shape on a light ground; both depend on its code. */
export function pictureOf(code: string): Buffer {
  const hash = crc32(code);
  const color: Color = [96 + (hash & 127), 96 + ((hash >> 8) & 127), 96 + ((hash >> 16) & 127)];
  const isProduct = shapes[(hash >>> 24) % shapes.length] as Shape;
  const ground = color.map((part) => 255 - Math.round((255 - part) / 6));
  const at = (pixel: number) => (2 * pixel) / (side - 1) - 1;
  const sides = Array.from({ length: side }, (_, pixel) => at(pixel));
  const rows = sides.map((y) =>
    Buffer.from([0, ...sides.flatMap((x) => (isProduct(x, y) ? color : ground))]),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header()),
    chunkOf('IDAT', deflateSync(Buffer.concat(rows))),
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
