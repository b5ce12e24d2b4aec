import type { Readable } from 'node:stream';
import { photoBytesMax, photoTooLargeSentence } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { photosMax } from '@draftshelf/domain/scanner/scanned-product';
import { Assembler } from 'stream-json/core/assembler.js';
import type { Token } from 'stream-json/core/parser.js';
import { stopWhenTooSlow } from '../http/body-pace.ts';
import { createJsonTokenizer, malformed, tooLargeRefusal } from '../http/json-tokens.ts';
import { invalid } from '../http/refusal.ts';
import { refuseParserErrors } from '../reading/receive-csv.ts';
import type { HeldSlot, PhotoSlot } from './photo-slot.ts';

/** Enough for seven photos of the maximum size as data URLs, and for the 80 MB that clients may expect. */
const bodyBytesMax = 96 * 1024 * 1024;
/** Maximum number of characters in a body, without data URLs. */
const textCharsMax = 256 * 1024;
const depthMax = 4;
const dataScheme = 'data:';

type Options = {
  slot: PhotoSlot;
  /** Stores a photo and returns its address. `field`: the photo's name in a refusal. */
  store: (bytes: Buffer, field: string) => Promise<string>;
  /** Aborts the reading of a slow body. */
  signal: AbortSignal;
};

/**
 * Reads the JSON body of a product as it arrives. Undefined if the body is empty. Photos that are data URLs are stored
 * one by one and replaced by their addresses, so that at most one is in memory. Throws a Refusal; the caller then
 * discards the rest of the body.
 */
export async function readProductBody(body: Readable, options: Options): Promise<unknown> {
  const tokensOf = createJsonTokenizer({ packStrings: false });
  const builder = new ProductBuilder(options);
  let bytes = 0;
  try {
    // Do not destroy the stream on exit: it is drained, so that the client sees the reply.
    const pieces = refuseParserErrors<Buffer>(body.iterator({ destroyOnReturn: false }));
    for await (const piece of stopWhenTooSlow(pieces, options.signal)) {
      bytes += piece.length;
      if (bytes > bodyBytesMax) throw tooLargeRefusal();
      await builder.takeAll(tokensOf(piece));
    }
    if (bytes > 0) await builder.takeAll(tokensOf(null));
    return bytes > 0 ? builder.result : undefined;
  } finally {
    builder.end();
  }
}

type Decoder = ReturnType<typeof dataUrlDecoder>;
/** A string among the photos. `data` is null until the string is known to be a data URL. */
type PhotoText = { field: string; data: Decoder | null };

class ProductBuilder {
  readonly #options: Options;
  readonly #assembler = new Assembler();
  #text = '';
  #textChars = 0;
  /** Set while the current string is an item of the top-level `photos`. Otherwise null. */
  #photo: PhotoText | null = null;
  #slot: HeldSlot | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  async takeAll(tokens: readonly Token[]): Promise<void> {
    for (const token of tokens) {
      const pending = this.#take(token);
      if (pending) await pending;
    }
  }

  /** Returns a promise only if the next token must wait: a photo has thousands of tokens. */
  #take(token: Token): Promise<void> | undefined {
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        if (this.#assembler.depth === depthMax) throw invalid('The body is nested too deeply.');
        break;
      case 'startKey':
        this.#text = '';
        break;
      case 'startString':
        this.#photo = this.#nextPhoto();
        this.#text = '';
        break;
      case 'stringChunk':
        return this.#photo ? this.#addToPhoto(this.#photo, token.value) : this.#addText(token.value);
      case 'numberChunk':
        return this.#addText(token.value);
      case 'keyValue':
        if (token.value === '__proto__') throw malformed();
        break;
      case 'endString':
        return this.#endString();
    }
    this.#assembler.consume(token);
    return undefined;
  }

  get result(): unknown {
    return this.#assembler.current;
  }

  /** Frees the slot, so that the next request can hold a photo. */
  end(): void {
    this.#slot?.release();
  }

  #put(value: string): undefined {
    this.#assembler.consume({ name: 'stringValue', value });
  }

  #addText(text: string): undefined {
    this.#textChars += text.length;
    if (this.#textChars > textCharsMax) throw tooLargeRefusal();
    this.#text += text;
  }

  #nextPhoto(): PhotoText | null {
    const { depth, path, current } = this.#assembler;
    const isPhoto = depth === 2 && path[0] === 'photos' && Array.isArray(current);
    return isPhoto ? { field: `photos.${current.length}`, data: null } : null;
  }

  #addToPhoto(photo: PhotoText, text: string): Promise<void> | undefined {
    if (photo.data) {
      photo.data.push(text);
      return undefined;
    }
    this.#addText(text);
    if (this.#text.length < dataScheme.length) return undefined;
    if (this.#text.slice(0, dataScheme.length).toLowerCase() === dataScheme) return this.#beginData(photo);
    this.#photo = null;
    return undefined;
  }

  async #beginData(photo: PhotoText): Promise<void> {
    if (Number(photo.field.slice('photos.'.length)) >= photosMax) {
      throw invalid(`A product can have ${photosMax} photos.`, 'photos');
    }
    this.#slot ??= await this.#options.slot.hold();
    const data = dataUrlDecoder(this.#slot.buffer, photo.field);
    this.#photo = { ...photo, data };
    this.#textChars -= this.#text.length;
    data.push(this.#text);
  }

  #endString(): Promise<void> | undefined {
    const photo = this.#photo;
    this.#photo = null;
    return photo?.data ? this.#storePhoto(photo.field, photo.data) : this.#put(this.#text);
  }

  async #storePhoto(field: string, data: Decoder): Promise<void> {
    this.#put(await this.#options.store(data.end(), field));
  }
}

/** Maximum length of a data URL before its data: `data:`, a media type with parameters, `;base64` and the comma. */
const headCharsMax = 128;

/** Decodes a data URL in pieces into a buffer of at least `photoBytesMax` bytes. `field`: the photo's name. */
function dataUrlDecoder(into: Buffer, field: string) {
  let head = '';
  let isBody = false;
  /** Up to three base64 characters that do not yet form a group of four. */
  let carry = '';
  let filled = 0;
  const write = (text: string) => {
    const bytes = Buffer.byteLength(text, 'base64');
    if (filled + bytes > photoBytesMax) throw invalid(photoTooLargeSentence, field);
    filled += into.write(text, filled, 'base64');
  };
  return {
    push(piece: string): void {
      let text = carry + piece;
      if (!isBody) {
        head += piece;
        const comma = head.indexOf(',');
        if (comma < 0 && head.length <= headCharsMax) return;
        if (!/;base64$/i.test(head.slice(0, Math.max(comma, 0)))) throw unreadable(field);
        isBody = true;
        text = head.slice(comma + 1);
      }
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw unreadable(field);
      const whole = text.length - (text.length % 4);
      write(text.slice(0, whole));
      carry = text.slice(whole);
    },
    /** Returns the decoded part of the buffer. */
    end(): Buffer {
      write(carry);
      return into.subarray(0, filled);
    },
  };
}

const unreadable = (field: string) => invalid('The photo’s data can’t be read. Choose it again.', field);
