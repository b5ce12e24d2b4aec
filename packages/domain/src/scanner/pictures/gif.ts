import {
  asciiBytes,
  checkSize,
  hasText,
  joinBytes,
  notPictureError,
  PictureReader,
  type PictureSize,
  type StrippedPicture,
  uint8,
  uint16le,
} from './picture-reader.ts';

// Block types and extension labels of GIF89a.
const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;
const graphicControl = 0xf9;
const application = 0xff;

const hasColorTable = 0x80;
const colorTableBytes = (flags: number) => 3 * 2 ** ((flags & 7) + 1);

/** Drops comments, texts, everything after the trailer, and application data except the number of repetitions. */
export function stripGif(bytes: Uint8Array): StrippedPicture {
  const reader = new PictureReader(bytes);
  reader.take(6);
  const screen = reader.take(7);
  let size = checkSize(uint16le(screen, 0), uint16le(screen, 2));
  takeColorTable(reader, uint8(screen, 4));
  const pieces = [reader.since(0)];
  let images = 0;
  for (let block = reader.byte(); block !== trailer; block = reader.byte()) {
    reader.countPart();
    if (block === image) {
      const start = reader.at - 1;
      size = grown(size, takeImage(reader));
      pieces.push(reader.since(start));
      images += 1;
    } else if (block === extension) {
      pieces.push(...takeExtension(reader));
    } else {
      throw notPictureError();
    }
  }
  if (images === 0) throw notPictureError();
  return { ...size, pieces: [...pieces, Uint8Array.of(trailer)] };
}

function takeColorTable(reader: PictureReader, flags: number): void {
  if (flags & hasColorTable) reader.take(colorTableBytes(flags));
}

/** Returns the size of the screen, enlarged as in browsers if an image exceeds it. */
const grown = (screen: PictureSize, frame: PictureSize): PictureSize =>
  checkSize(Math.max(screen.width, frame.width), Math.max(screen.height, frame.height));

/** Skips an image and returns its extent on the screen. */
function takeImage(reader: PictureReader): PictureSize {
  const descriptor = reader.take(9);
  const [left, top] = [uint16le(descriptor, 0), uint16le(descriptor, 2)];
  const [width, height] = [uint16le(descriptor, 4), uint16le(descriptor, 6)];
  checkSize(width, height);
  takeColorTable(reader, uint8(descriptor, 8));
  const codeBits = reader.byte();
  if (codeBits < 1 || codeBits > 11) throw notPictureError();
  if (!takeBlocks(reader).first) throw notPictureError();
  return { width: left + width, height: top + height };
}

/** Returns the parts of an extension to keep: the delay of an image, or the repetitions of an animation. */
function takeExtension(reader: PictureReader): Uint8Array[] {
  const label = reader.byte();
  const { first, repetitions } = takeBlocks(reader);
  if (label === graphicControl && first?.length === 4) {
    return [joinBytes([Uint8Array.of(extension, label, 4), first, Uint8Array.of(0)])];
  }
  const isLoop = first?.length === 11 && (hasText(first, 'NETSCAPE2.0') || hasText(first, 'ANIMEXTS1.0'));
  if (label !== application || !isLoop || !repetitions) return [];
  const head = joinBytes([Uint8Array.of(extension, label, 11), asciiBytes('NETSCAPE2.0')]);
  return [joinBytes([head, Uint8Array.of(3), repetitions, Uint8Array.of(0)])];
}

/** The first data block, and the later block with the number of repetitions, if there is one. */
type Blocks = { first: Uint8Array | undefined; repetitions: Uint8Array | undefined };

/** Skips data blocks. Only two of them become views, because a picture may have millions of blocks. */
function takeBlocks(reader: PictureReader): Blocks {
  const firstLength = reader.byte();
  if (firstLength === 0) return { first: undefined, repetitions: undefined };
  const first = reader.take(firstLength);
  let repetitions: Uint8Array | undefined;
  for (let length = reader.byte(); length > 0; length = reader.byte()) {
    const start = reader.at;
    reader.skip(length);
    if (length === 3 && reader.bytes[start] === 1) repetitions ??= reader.since(start);
  }
  return { first, repetitions };
}
