import { photoSideMax, picturePixelsMax } from './photo-limits.ts';

/** A picture that is refused. Its message is a sentence for the operator. */
export class PictureRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PictureRefused';
  }
}

export const notAPicture = () => new PictureRefused('This file isn’t a picture.');
export const incomplete = () => new PictureRefused('The picture is incomplete. Choose the file again.');
export const otherFormat = () => new PictureRefused('Use a JPEG, PNG, WebP or GIF picture.');

/** Width and height in pixels, before an orientation turns the picture. */
export type PictureSize = { width: number; height: number };

/** A picture whose segments were walked over to the end. `pieces`: what is kept of it, in order. */
export type WalkedPicture = PictureSize & { pieces: Uint8Array[] };

/** The size. Throws PictureRefused for a picture without pixels, or with more than may be decoded. */
export function checkedSize(width: number, height: number): PictureSize {
  if (width === 0 || height === 0) throw notAPicture();
  const size = `(${width}×${height})`;
  if (width * height > picturePixelsMax)
    throw new PictureRefused(`The photo has more than 25 megapixels ${size}.`);
  if (Math.max(width, height) > photoSideMax)
    throw new PictureRefused(`The photo is longer than 16,384 pixels ${size}.`);
  return { width, height };
}

/** Reads a picture from its first byte to its last. Its parts are views, not copies. */
export class PictureReader {
  readonly bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  /** The next bytes. Throws PictureRefused if there are fewer. */
  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.bytes.length) throw incomplete();
    const taken = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  byte(): number {
    return uint8(this.take(1), 0);
  }

  /** Moves to an offset. */
  moveTo(at: number): void {
    this.#at = at;
  }

  /** Moves to the next byte of a value. Throws PictureRefused if there is none. */
  skipTo(value: number): void {
    const found = this.bytes.indexOf(value, this.#at);
    if (found < 0) throw incomplete();
    this.#at = found;
  }

  /** The bytes from an offset up to the next one to be read. */
  since(start: number): Uint8Array {
    return this.bytes.subarray(start, this.#at);
  }
}

// A byte behind the end counts as 0: callers read from parts whose length they have checked.
export const uint8 = (bytes: Uint8Array, at: number) => bytes[at] ?? 0;
export const uint16 = (bytes: Uint8Array, at: number) => uint8(bytes, at) * 256 + uint8(bytes, at + 1);
export const uint32 = (bytes: Uint8Array, at: number) => uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);
export const uint16le = (bytes: Uint8Array, at: number) => uint8(bytes, at) + uint8(bytes, at + 1) * 256;
export const uint24le = (bytes: Uint8Array, at: number) =>
  uint16le(bytes, at) + uint8(bytes, at + 2) * 65_536;
export const uint32le = (bytes: Uint8Array, at: number) =>
  uint16le(bytes, at) + uint16le(bytes, at + 2) * 65_536;

/** The bytes of an ASCII text. */
export const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Whether an ASCII text stands at an offset. */
export function hasText(bytes: Uint8Array, text: string, at = 0): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** The bytes of several parts in one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
