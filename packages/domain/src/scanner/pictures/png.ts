import { crc32 } from '../../base/crc32.ts';
import {
  asciiBytes,
  checkSize,
  createOrientationExif,
  joinBytes,
  notPictureError,
  PictureReader,
  type PictureSize,
  readOrientation,
  type StrippedPicture,
  uint8,
  uint32,
} from './picture-reader.ts';

/** Chunks that a browser needs to show the picture in its colors and size, and animation chunks. */
const keptTypes =
  /^(?:IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|mDCV|cLLI|sBIT|bKGD|pHYs|acTL|fcTL|fdAT)$/;

const signatureBytes = 8;
const headerBytes = 13;
const indexedColors = 3;
/** Bit depths by color type (PNG, third edition, table 12). */
const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

type Chunk = { type: string; content: Uint8Array; whole: Uint8Array };

/** Drops EXIF, texts, times, unknown chunks and everything after IEND. */
export function stripPng(bytes: Uint8Array): StrippedPicture {
  const reader = new PictureReader(bytes);
  const signature = reader.take(signatureBytes);
  const header = takeChunk(reader);
  const size = sizeOf(header);
  const isIndexed = uint8(header.content, 9) === indexedColors;
  const kept: Uint8Array[] = [];
  const before: Before = { hasPalette: false, hasData: false, last: header.type };
  let orientation: number | undefined;
  for (let chunk = takeChunk(reader); ; chunk = takeChunk(reader)) {
    if (chunk.type === 'eXIf') orientation ??= readOrientation(chunk.content);
    if (keptTypes.test(chunk.type)) {
      checkOrder(chunk.type, before, isIndexed);
      before.hasPalette ||= chunk.type === 'PLTE';
      before.hasData ||= chunk.type === 'IDAT';
      before.last = chunk.type;
      kept.push(chunk.whole);
    } else if (isCritical(chunk.type)) {
      throw notPictureError();
    }
    if (chunk.type === 'IEND') break;
  }
  const exif = createOrientationExif(orientation);
  const added = exif ? [chunkOf('eXIf', exif)] : [];
  return { ...size, pieces: [signature, header.whole, ...added, ...kept] };
}

/** Returns whether decoders must support a chunk. A capital first letter of its type marks such chunks. */
const isCritical = (type: string) => /^[A-Z]/.test(type);

function sizeOf({ type, content }: Chunk): PictureSize {
  if (type !== 'IHDR' || content.length !== headerBytes) throw notPictureError();
  const [depth, color, compression, filter, interlace] = content.subarray(8);
  const isValid =
    depths[color ?? -1]?.includes(depth ?? 0) && compression === 0 && filter === 0 && (interlace ?? 2) <= 1;
  if (!isValid) throw notPictureError();
  return checkSize(uint32(content, 0), uint32(content, 4));
}

type Before = { hasPalette: boolean; hasData: boolean; last: string };

/** Throws PictureRefused for a chunk at a position that decoders refuse. */
function checkOrder(type: string, { hasPalette, hasData, last }: Before, isIndexed: boolean): void {
  if (type === 'IHDR') throw notPictureError();
  if (type === 'PLTE' && (hasData || hasPalette)) throw notPictureError();
  if (type === 'IDAT' && hasData && last !== 'IDAT') throw notPictureError();
  if (type === 'IDAT' && isIndexed && !hasPalette) throw notPictureError();
  if (type === 'IEND' && !hasData) throw notPictureError();
}

/** Returns the next chunk. Throws PictureRefused if the checksum of a chunk to keep is wrong. */
function takeChunk(reader: PictureReader): Chunk {
  reader.countPart();
  const start = reader.at;
  const length = uint32(reader.take(4), 0);
  const name = reader.take(4);
  const type = String.fromCharCode(...name);
  if (!/^[A-Za-z]{4}$/.test(type)) throw notPictureError();
  const content = reader.take(length);
  const sum = uint32(reader.take(4), 0);
  if (keptTypes.test(type) && sum !== crc32(content, crc32(name))) throw notPictureError();
  return { type, content, whole: reader.since(start) };
}

function chunkOf(type: string, content: Uint8Array): Uint8Array {
  const name = asciiBytes(type);
  const sum = crc32(content, crc32(name));
  return joinBytes([bytesOf(content.length), name, content, bytesOf(sum)]);
}

const bytesOf = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
