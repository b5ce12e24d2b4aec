import { photoSideMax, picturePartsMax, picturePixelsMax } from './photo-limits.ts';

/** The message is a sentence for the operator. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
}

export const notPictureError = () => new PictureRefused('This file isn’t a picture.');
export const incompleteError = () => new PictureRefused('The picture is incomplete. Choose the file again.');
export const unsupportedError = () => new PictureRefused('Use a JPEG, PNG, WebP or GIF picture.');
const tooManyParts = () =>
  new PictureRefused(
    'The picture has more than 50,000 parts. Save it with another program and choose that file.',
  );

/** The size in pixels, before the orientation is applied. */
export type PictureSize = { width: number; height: number };

/** `pieces` are the kept parts, in order. */
export type StrippedPicture = PictureSize & { pieces: Uint8Array[] };

/** Returns the size. Throws PictureRefused for a picture without pixels, or with more than may be decoded. */
export function checkSize(width: number, height: number): PictureSize {
  if (width === 0 || height === 0) throw notPictureError();
  const size = `(${width}×${height})`;
  if (width * height > picturePixelsMax)
    throw new PictureRefused(`The photo has more than 25 megapixels ${size}.`);
  if (Math.max(width, height) > photoSideMax)
    throw new PictureRefused(`The photo is longer than 16,384 pixels ${size}.`);
  return { width, height };
}

/** Reads a picture from its first byte to its last. The returned parts are views, not copies. */
export class PictureReader {
  readonly bytes: Uint8Array;
  readonly #parts: { count: number };
  #at = 0;

  constructor(bytes: Uint8Array, parts = { count: 0 }) {
    this.bytes = bytes;
    this.#parts = parts;
  }

  /** Returns a reader for a nested part. Parts within it count as parts of the whole picture. */
  within(part: Uint8Array): PictureReader {
    return new PictureReader(part, this.#parts);
  }

  /** Counts a segment or chunk. Throws PictureRefused if the picture has too many. */
  countPart(): void {
    this.#parts.count += 1;
    if (this.#parts.count > picturePartsMax) throw tooManyParts();
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  /** Returns the next bytes. Throws PictureRefused if there are fewer. */
  take(length: number): Uint8Array {
    const start = this.#at;
    this.skip(length);
    return this.since(start);
  }

  /** Returns the next byte. Throws PictureRefused if there is none. */
  byte(): number {
    const at = this.#at;
    this.skip(1);
    return uint8(this.bytes, at);
  }

  /** Skips a number of bytes. Throws PictureRefused if there are fewer. */
  skip(length: number): void {
    if (this.#at + length > this.bytes.length) throw incompleteError();
    this.#at += length;
  }

  /** Skips to the next byte with a value. Throws PictureRefused if there is none. */
  skipTo(value: number): void {
    const found = this.bytes.indexOf(value, this.#at);
    if (found < 0) throw incompleteError();
    this.#at = found;
  }

  /** Returns the bytes from an offset to the current position. */
  since(start: number): Uint8Array {
    return this.bytes.subarray(start, this.#at);
  }
}

// Returns the byte at an offset, or 0 after the end. Callers check the length of a part before they read it.
export const uint8 = (bytes: Uint8Array, at: number) => bytes[at] ?? 0;
export const uint16 = (bytes: Uint8Array, at: number) => uint8(bytes, at) * 256 + uint8(bytes, at + 1);
export const uint32 = (bytes: Uint8Array, at: number) => uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);
export const uint16le = (bytes: Uint8Array, at: number) => uint8(bytes, at) + uint8(bytes, at + 1) * 256;
export const uint24le = (bytes: Uint8Array, at: number) =>
  uint16le(bytes, at) + uint8(bytes, at + 2) * 65_536;
export const uint32le = (bytes: Uint8Array, at: number) =>
  uint16le(bytes, at) + uint16le(bytes, at + 2) * 65_536;

/** Returns the bytes of an ASCII text. */
export const asciiBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Returns whether an ASCII text stands at an offset. */
export function hasText(bytes: Uint8Array, text: string, at = 0): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Joins views that are adjacent in memory. */
export function mergeViews(pieces: readonly Uint8Array[]): Uint8Array[] {
  const out: Uint8Array[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last?.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset) {
      out[out.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + piece.length);
    } else if (piece.length > 0) {
      out.push(piece);
    }
  }
  return out;
}

/** Copies several parts into one array. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The orientation of a picture that is shown as stored (EXIF 3.0, tag 274). */
const upright = 1;

const orientationTag = 0x0112;
const entryBytes = 12;
const exifHeader = 'Exif\0\0';

/** Returns the orientation in EXIF data with or without a header: 1 to 8. Unreadable data gives 1. */
export function readOrientation(exif: Uint8Array): number {
  const tiff = hasText(exif, exifHeader) ? exif.subarray(exifHeader.length) : exif;
  const isLittle = hasText(tiff, 'II');
  if (!isLittle && !hasText(tiff, 'MM')) return upright;
  const short = isLittle ? uint16le : uint16;
  const long = isLittle ? uint32le : uint32;
  const directory = long(tiff, 4);
  const entries = short(tiff, directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * entryBytes;
    if (at + entryBytes > tiff.length) break;
    if (short(tiff, at) !== orientationTag) continue;
    const orientation = short(tiff, at + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : upright;
  }
  return upright;
}

/** Returns 26 bytes of EXIF data with only an orientation, or null if the picture is shown as it is stored. */
export function createOrientationExif(orientation = upright): Uint8Array | null {
  if (orientation === upright) return null;
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.from([...header, 0, 1, ...entry, 0, 0, 0, 0]);
}
