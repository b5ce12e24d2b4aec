import { asciiBytes, joinBytes } from '../scanner/pictures/picture-reader.ts';

/** Stands in all metadata of these pictures: a picture that contains it was not cleaned. */
export const secret = 'GPS 52.5200 N 13.4050 E';

const secretBytes = asciiBytes(secret);

/** EXIF data in big-endian order: an orientation, a maker note, and a directory with a position. */
export function sampleExif(orientation = 6): Uint8Array<ArrayBuffer> {
  const entry = (tag: number, type: number, count: number, value: readonly number[]) => [
    ...[tag >> 8, tag & 0xff, 0, type, 0, 0, 0, count],
    ...value,
  ];
  const directoryBytes = 2 + 3 * 12 + 4;
  const textAt = 8 + directoryBytes;
  const head = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 3];
  return Uint8Array.from([
    ...head,
    ...entry(0x0112, 3, 1, [0, orientation, 0, 0]),
    ...entry(0x010f, 2, secret.length, [0, 0, 0, textAt]),
    ...entry(0x8825, 4, 1, [0, 0, 0, textAt]),
    ...[0, 0, 0, 0],
    ...secretBytes,
  ]);
}

const u16 = (value: number) => [value >> 8, value & 0xff];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];

/** A JPEG segment with its marker and length. */
export const jpegSegment = (marker: number, content: Uint8Array): Uint8Array<ArrayBuffer> =>
  joinBytes([Uint8Array.from([0xff, marker, ...u16(content.length + 2)]), content]);

/** The kinds of JPEG segments with metadata, by name. */
export const jpegMetadata = {
  exif: jpegSegment(0xe1, joinBytes([asciiBytes('Exif\0\0'), sampleExif()])),
  xmp: jpegSegment(0xe1, joinBytes([asciiBytes('http://ns.adobe.com/xap/1.0/\0'), secretBytes])),
  xmpExtension: jpegSegment(
    0xe1,
    joinBytes([asciiBytes('http://ns.adobe.com/xmp/extension/\0'), secretBytes]),
  ),
  iptc: jpegSegment(0xed, joinBytes([asciiBytes('Photoshop 3.0\x008BIM\x04\x04'), secretBytes])),
  pictures: jpegSegment(0xe2, joinBytes([asciiBytes('MPF\0'), secretBytes])),
  comment: jpegSegment(0xfe, secretBytes),
  maker: jpegSegment(0xe5, secretBytes),
};

/** Coded data with a stuffed byte and a restart marker. */
export const jpegScan = Uint8Array.from([0x12, 0x34, 0xff, 0, 0x56, 0xff, 0xd0, 0x78, 0x9a]);

const jfif = jpegSegment(0xe0, Uint8Array.from([...asciiBytes('JFIF\0'), 1, 1, 0, 0, 72, 0, 72, 0, 0]));

/** The segments that a JPEG of this size needs. They have no pixels that could be decoded. */
export function jpegParts(width = 40, height = 30): Uint8Array[] {
  return [
    jfif,
    jpegSegment(0xdb, new Uint8Array(65)),
    jpegSegment(0xc0, Uint8Array.from([8, ...u16(height), ...u16(width), 1, 1, 0x11, 0])),
    jpegSegment(0xc4, new Uint8Array(19)),
    joinBytes([jpegSegment(0xda, Uint8Array.from([1, 1, 0, 0, 63, 0])), jpegScan]),
  ];
}

const jpegStart = Uint8Array.of(0xff, 0xd8);
const jpegEnd = Uint8Array.of(0xff, 0xd9);

/** A JPEG of these parts, with more bytes behind its end. */
export const jpegOf = (parts: readonly Uint8Array[], behind: Uint8Array = new Uint8Array()) =>
  joinBytes([jpegStart, ...parts, jpegEnd, behind]);

/** A real JPEG with more segments behind its first marker, and bytes behind its end. */
export const withSegments = (
  jpeg: Uint8Array,
  segments: readonly Uint8Array[],
  behind: Uint8Array = new Uint8Array(),
) => joinBytes([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), behind]);

/** The CRC-32 of a PNG chunk, bit by bit. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A PNG chunk with length and checksum. */
export function pngChunk(type: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const body = joinBytes([asciiBytes(type), content]);
  return joinBytes([Uint8Array.from(u32(content.length)), body, Uint8Array.from(u32(crcOf(body)))]);
}

/** The kinds of PNG chunks with metadata. */
export const pngMetadata = [
  pngChunk('eXIf', sampleExif()),
  pngChunk('tEXt', secretBytes),
  pngChunk('iTXt', secretBytes),
  pngChunk('zTXt', secretBytes),
  pngChunk('prVt', secretBytes),
];

const pngStart = asciiBytes('\x89PNG\r\n\x1a\n');

/** The chunks that a PNG of this size needs. The coded data is no picture. */
export function pngParts(width = 40, height = 30): Uint8Array[] {
  return [
    pngChunk('IHDR', Uint8Array.from([...u32(width), ...u32(height), 8, 2, 0, 0, 0])),
    pngChunk('IDAT', Uint8Array.of(1, 2, 3)),
    pngChunk('IDAT', Uint8Array.of(4, 5, 6)),
    pngChunk('IEND', new Uint8Array()),
  ];
}

/** A PNG of these chunks, with more bytes behind its end. */
export const pngOf = (chunks: readonly Uint8Array[], behind: Uint8Array = new Uint8Array()) =>
  joinBytes([pngStart, ...chunks, behind]);

/** A WebP chunk, padded to an even length. */
export function webpChunk(type: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const padding = new Uint8Array(content.length % 2);
  return joinBytes([asciiBytes(type), Uint8Array.from(u32(content.length).reverse()), content, padding]);
}

/** The kinds of WebP chunks with metadata. */
export const webpMetadata = [
  webpChunk('EXIF', sampleExif()),
  webpChunk('XMP ', secretBytes),
  webpChunk('PRVT', secretBytes),
];

/** The header of an extended WebP. Its flags say that EXIF and XMP follow. */
export function webpHeader(width = 40, height = 30, flags = 0x0c): Uint8Array<ArrayBuffer> {
  const side = (value: number) =>
    u32(value - 1)
      .reverse()
      .slice(0, 3);
  return webpChunk('VP8X', Uint8Array.from([flags, 0, 0, 0, ...side(width), ...side(height)]));
}

/** The lossy picture in a WebP: a header and coded data that is no picture. */
export function webpImage(width = 40, height = 30): Uint8Array<ArrayBuffer> {
  const sides = [...u16(width).reverse(), ...u16(height).reverse()];
  return webpChunk('VP8 ', Uint8Array.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, ...sides, 9, 8, 7]));
}

/** A WebP of these chunks, with more bytes behind its end. */
export function webpOf(chunks: readonly Uint8Array[], behind: Uint8Array = new Uint8Array()) {
  const body = joinBytes([asciiBytes('WEBP'), ...chunks]);
  return joinBytes([asciiBytes('RIFF'), Uint8Array.from(u32(body.length).reverse()), body, behind]);
}

const subBlocks = (...blocks: readonly Uint8Array[]) => [
  ...blocks.flatMap((block) => [block.length, ...block]),
  0,
];

/** The kinds of GIF extensions with metadata. */
export const gifMetadata = [
  Uint8Array.from([0x21, 0xfe, ...subBlocks(secretBytes)]),
  Uint8Array.from([0x21, 0xff, ...subBlocks(asciiBytes('XMP DataXMP'), secretBytes)]),
];

/** The parts of a GIF: header, repetitions, control and image. */
export function gifParts(width = 40, height = 30): Uint8Array[] {
  const sides = [...u16(width).reverse(), ...u16(height).reverse()];
  return [
    joinBytes([asciiBytes('GIF89a'), Uint8Array.from([...sides, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])]),
    Uint8Array.from([0x21, 0xff, ...subBlocks(asciiBytes('NETSCAPE2.0'), Uint8Array.of(1, 0, 0))]),
    Uint8Array.from([0x21, 0xf9, ...subBlocks(Uint8Array.of(0, 10, 0, 0))]),
    Uint8Array.from([0x2c, 0, 0, 0, 0, ...sides, 0, 2, ...subBlocks(Uint8Array.of(0x4c, 0x01))]),
  ];
}

/** A GIF of these parts, with more bytes behind its end. */
export const gifOf = (parts: readonly Uint8Array[], behind: Uint8Array = new Uint8Array()) =>
  joinBytes([...parts, Uint8Array.of(0x3b), behind]);
