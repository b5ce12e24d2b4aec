import {
  asciiBytes,
  checkSize,
  createOrientationExif,
  incompleteError,
  joinBytes,
  notPictureError,
  PictureReader,
  type PictureSize,
  readOrientation,
  type StrippedPicture,
  uint8,
  uint16le,
  uint24le,
  uint32le,
} from './picture-reader.ts';

// Sizes and flags of the WebP container (RFC 9649, section 2).
const riffBytes = 12;
const exifFlag = 0x08;
const xmpFlag = 0x04;
const frameHeaderBytes = 16;

type Chunk = { type: string; content: Uint8Array };
/** `pieces`: the chunk's bytes as stored, and a padding zero if the chunk needs one that the file lacks. */
type StoredChunk = Chunk & { pieces: Uint8Array[] };

/** Drops EXIF, XMP, unknown chunks and everything after the end of the container. */
export function stripWebp(bytes: Uint8Array): StrippedPicture {
  const end = 8 + uint32le(bytes, 4);
  if (bytes.length < riffBytes || end > bytes.length) throw incompleteError();
  const reader = new PictureReader(bytes.subarray(riffBytes, end));
  const first = takeChunk(reader);
  if (first.type !== 'VP8X') return { ...imageSize(first), pieces: inContainer(first.pieces) };
  return walkExtended(reader, first.content);
}

function walkExtended(reader: PictureReader, header: Uint8Array): StrippedPicture {
  if (header.length !== 10) throw notPictureError();
  const size = checkSize(uint24le(header, 4) + 1, uint24le(header, 7) + 1);
  const kept: Uint8Array[] = [];
  let images = 0;
  let orientation: number | undefined;
  while (!reader.isAtEnd) {
    const chunk = takeChunk(reader);
    if (chunk.type === 'EXIF') orientation ??= readOrientation(chunk.content);
    if (isImage(chunk)) checkFits(imageSize(chunk), size);
    if (isImage(chunk) || chunk.type === 'ANMF') images += 1;
    if (['ICCP', 'ANIM', 'ALPH'].includes(chunk.type) || isImage(chunk)) kept.push(...chunk.pieces);
    if (chunk.type === 'ANMF') kept.push(...partsOf(cleanFrame(reader, chunk, size)));
  }
  if (images === 0) throw incompleteError();
  const exif = createOrientationExif(orientation);
  const flags = (uint8(header, 0) & ~(exifFlag | xmpFlag)) | (exif ? exifFlag : 0);
  const newHeader = { type: 'VP8X', content: joinBytes([Uint8Array.of(flags), header.subarray(1)]) };
  const added = exif ? partsOf({ type: 'EXIF', content: exif }) : [];
  return { ...size, pieces: inContainer([...partsOf(newHeader), ...kept, ...added]) };
}

const isImage = ({ type }: Chunk) => type === 'VP8 ' || type === 'VP8L';

/** Returns a frame of an animation without unknown chunks. */
function cleanFrame(whole: PictureReader, { content }: Chunk, size: PictureSize): Chunk {
  if (content.length < frameHeaderBytes) throw incompleteError();
  const kept: Uint8Array[] = [content.subarray(0, frameHeaderBytes)];
  const reader = whole.within(content.subarray(frameHeaderBytes));
  let images = 0;
  while (!reader.isAtEnd) {
    const chunk = takeChunk(reader);
    if (isImage(chunk)) {
      checkFits(imageSize(chunk), size);
      images += 1;
    }
    if (chunk.type === 'ALPH' || isImage(chunk)) kept.push(...chunk.pieces);
  }
  if (images !== 1) throw notPictureError();
  return { type: 'ANMF', content: joinBytes(kept) };
}

function checkFits(image: PictureSize, canvas: PictureSize): void {
  if (image.width > canvas.width || image.height > canvas.height) throw notPictureError();
}

/** Returns the size of the picture in a VP8 or VP8L chunk (RFC 6386, section 9.1; RFC 9649, section 3.4). */
function imageSize({ type, content }: Chunk): PictureSize {
  if (type === 'VP8 ') {
    const [tag = 1, , , ...start] = content.subarray(0, 6);
    const isKeyFrame = (tag & 1) === 0 && start.join() === '157,1,42';
    if (!isKeyFrame || content.length < 11) throw notPictureError();
    return checkSize(uint16le(content, 6) & 0x3fff, uint16le(content, 8) & 0x3fff);
  }
  if (type !== 'VP8L' || uint8(content, 0) !== 0x2f || content.length < 6) throw notPictureError();
  const bits = uint32le(content, 1);
  return checkSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

/** Returns the next chunk. The byte that pads a chunk to an even length may be missing at the end of the file. */
function takeChunk(reader: PictureReader): StoredChunk {
  reader.countPart();
  const start = reader.at;
  const type = String.fromCharCode(...reader.take(4));
  const content = reader.take(uint32le(reader.take(4), 0));
  const unpadded = reader.since(start);
  if (content.length % 2 === 0) return { type, content, pieces: [unpadded] };
  const isPadded = !reader.isAtEnd && reader.byte() === 0;
  return { type, content, pieces: isPadded ? [reader.since(start)] : [unpadded, Uint8Array.of(0)] };
}

function partsOf({ type, content }: Chunk): Uint8Array[] {
  const padding = content.length % 2 === 1 ? [Uint8Array.of(0)] : [];
  return [joinBytes([asciiBytes(type), bytesOf(content.length)]), content, ...padding];
}

function inContainer(parts: readonly Uint8Array[]): Uint8Array[] {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  return [joinBytes([asciiBytes('RIFF'), bytesOf(4 + bytes), asciiBytes('WEBP')]), ...parts];
}

const bytesOf = (value: number) => Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
