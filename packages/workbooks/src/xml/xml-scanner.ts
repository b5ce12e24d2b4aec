import { damagedError, tooLargeError } from '../container-error.ts';
import {
  attributesMax,
  collisionsMax,
  depthMax,
  elementNamesMax,
  nameLengthMax,
  tagBytesMax,
} from '../limits.ts';
import {
  ampersand,
  colon,
  doubleQuote,
  equals,
  greaterThan,
  indexOfByte,
  indexOfBytes,
  isNameEnd,
  isSameBytes,
  isSpace,
  lessThan,
  semicolon,
  singleQuote,
  slash,
} from './bytes.ts';
import { decodeEntity } from './entities.ts';

/** Handles the elements of a part. Names have no prefix: `row` for `x:row`. */
export type XmlHandler = {
  open(name: string, tag: XmlScanner): void;
  close(name: string): void;
  /** Called with ranges of the open element's UTF-8 text while `wantsText` is true. */
  text(bytes: Uint8Array, from: number, to: number): void;
  wantsText: boolean;
};

type ElementName = { bytes: Uint8Array; local: string };

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const commentEnd = [0x2d, 0x2d, 0x3e];
const cdataEnd = [0x5d, 0x5d, 0x3e];
const instructionEnd = [0x3f, 0x3e];
const entityLengthMax = 16;

/** Scans XML as bytes, so that a sheet of 778 MB makes no string per cell. Refuses document types. */
export class XmlScanner {
  /** The current bytes. The arrays below are ranges in them: names and values of the open tag's attributes. */
  bytes = new Uint8Array(64 * 1024);
  attributes = 0;
  readonly nameFrom = new Int32Array(attributesMax);
  readonly nameTo = new Int32Array(attributesMax);
  readonly valueFrom = new Int32Array(attributesMax);
  readonly valueTo = new Int32Array(attributesMax);
  /** Set by a handler so that `run` returns before the next tag. */
  paused = false;

  private length = 0;
  private at = 0;
  private until: readonly number[] | null = null;
  private isCdata = false;
  private readonly handler: XmlHandler;
  private readonly isFragment: boolean;
  private readonly names = new Map<number, ElementName>();
  private readonly openNames: ElementName[] = [];
  private hasRoot = false;

  /** `isFragment`: the XML may begin and end inside an element. */
  constructor(handler: XmlHandler, isFragment = false) {
    this.handler = handler;
    this.isFragment = isFragment;
  }

  push(chunk: Uint8Array): void {
    const kept = this.length - this.at;
    if (kept > tagBytesMax) throw tooLargeError('The workbook has a tag that is too long to read.');
    if (kept + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(2 * (kept + chunk.length));
      larger.set(this.bytes.subarray(this.at, this.length));
      this.bytes = larger;
    } else {
      this.bytes.copyWithin(0, this.at, this.length);
    }
    this.bytes.set(chunk, kept);
    this.length = kept + chunk.length;
    this.at = 0;
  }

  run(): boolean {
    this.paused = false;
    while (this.at < this.length) {
      if (this.until !== null) {
        if (!this.skipSection(this.until)) return false;
        continue;
      }
      const byte = this.bytes[this.at];
      if (byte === lessThan) {
        if (!this.readMarkup()) return false;
        if (this.paused) return true;
      } else if (byte === ampersand) {
        if (!this.readEntity()) return false;
      } else {
        this.readText();
      }
    }
    return false;
  }

  end(): void {
    if (this.isFragment) return;
    if (this.at < this.length || this.openNames.length > 0 || !this.hasRoot)
      throw damagedError('a part of it is cut off');
  }

  /** Returns an attribute by its name without prefix. Throws if its value exceeds `lengthMax` characters. */
  attribute(name: string, lengthMax = tagBytesMax): string | null {
    for (let at = 0; at < this.attributes; at += 1) {
      let from = this.nameFrom[at] as number;
      const to = this.nameTo[at] as number;
      const prefixEnd = indexOfByte(this.bytes, colon, from, to);
      if (prefixEnd < to) from = prefixEnd + 1;
      if (to - from !== name.length) continue;
      let same = 0;
      while (same < name.length && this.bytes[from + same] === name.charCodeAt(same)) same += 1;
      if (same === name.length) return this.valueText(at, lengthMax);
    }
    return null;
  }

  private valueText(at: number, lengthMax: number): string {
    const raw = decoder.decode(this.bytes.subarray(this.valueFrom[at], this.valueTo[at]));
    const text = raw.replace(/&([^;]*);?/g, (_whole, entity: string) => {
      const name = encoder.encode(entity);
      return decoder.decode(decodeEntity(name, 0, name.length));
    });
    if (text.length > lengthMax) throw tooLong();
    return text;
  }

  private readText(): void {
    const from = this.at;
    const { bytes, length } = this;
    let at = from;
    while (at < length && bytes[at] !== lessThan && bytes[at] !== ampersand) at += 1;
    this.at = at;
    if (this.handler.wantsText) this.handler.text(bytes, from, at);
  }

  private readEntity(): boolean {
    const from = this.at + 1;
    const stop = Math.min(this.length, this.at + entityLengthMax);
    const to = indexOfByte(this.bytes, semicolon, from, stop);
    if (to === stop) {
      if (stop === this.at + entityLengthMax) throw damagedError('a part of it has an unknown entity');
      return false;
    }
    const text = decodeEntity(this.bytes, from, to);
    this.at = to + 1;
    if (this.handler.wantsText) this.handler.text(text, 0, text.length);
    return true;
  }

  private skipSection(until: readonly number[]): boolean {
    const end = indexOfBytes(this.bytes, until, this.at, this.length);
    const to = end === -1 ? Math.max(this.at, this.length - until.length + 1) : end;
    if (this.isCdata && this.handler.wantsText && to > this.at) this.handler.text(this.bytes, this.at, to);
    this.at = to;
    if (end === -1) return false;
    this.at += until.length;
    this.until = null;
    return true;
  }

  private readMarkup(): boolean {
    const next = this.bytes[this.at + 1];
    if (this.at + 1 >= this.length) return false;
    if (next === slash) return this.readClosing();
    if (next === 0x21) return this.readDeclaration();
    if (next === 0x3f) return this.beginSection(2, instructionEnd, false);
    return this.readOpening();
  }

  private readDeclaration(): boolean {
    const third = this.bytes[this.at + 2];
    if (this.at + 2 >= this.length) return false;
    if (third === 0x2d) return this.at + 3 < this.length && this.beginSection(4, commentEnd, false);
    if (third === 0x5b) return this.at + 8 < this.length && this.beginSection(9, cdataEnd, true);
    throw damagedError('a part of it has a document type');
  }

  private beginSection(skipped: number, until: readonly number[], isCdata: boolean): boolean {
    this.at += skipped;
    this.until = until;
    this.isCdata = isCdata;
    return true;
  }

  private readClosing(): boolean {
    const { bytes, length } = this;
    const end = indexOfByte(bytes, greaterThan, this.at + 2, length);
    if (end >= length) return false;
    let to = end;
    while (isSpace(bytes[to - 1] as number)) to -= 1;
    const name = this.nameIn(this.at + 2, to);
    this.at = end + 1;
    if (this.openNames.pop() !== name && !this.isFragment)
      throw damagedError('a part of it is not well-formed XML');
    this.handler.close(name.local);
    return true;
  }

  private readOpening(): boolean {
    const { bytes, length } = this;
    let at = this.at + 1;
    while (at < length && !isNameEnd(bytes[at] as number)) at += 1;
    const nameEnd = at;
    this.attributes = 0;
    for (;;) {
      while (at < length && isSpace(bytes[at] as number)) at += 1;
      if (at >= length) return false;
      const byte = bytes[at] as number;
      if (byte === greaterThan) break;
      if (byte === slash) {
        if (at + 1 >= length) return false;
        if (bytes[at + 1] !== greaterThan) throw damagedError('a part of it is not well-formed XML');
        break;
      }
      at = this.readAttribute(at);
      if (at === -1) return false;
    }
    const name = this.nameIn(this.at + 1, nameEnd);
    const isEmpty = bytes[at] === slash;
    this.at = at + (isEmpty ? 2 : 1);
    if (this.openNames.length === 0 && this.hasRoot && !this.isFragment) {
      throw damagedError('a part of it is not well-formed XML');
    }
    this.hasRoot = true;
    this.handler.open(name.local, this);
    if (isEmpty) {
      this.handler.close(name.local);
    } else {
      this.openNames.push(name);
      if (this.openNames.length > depthMax)
        throw tooLargeError('The workbook has elements that are nested too deep to read.');
    }
    return true;
  }

  private readAttribute(from: number): number {
    const { bytes, length } = this;
    let at = from;
    while (at < length && !isNameEnd(bytes[at] as number)) at += 1;
    const nameEnd = at;
    while (at < length && isSpace(bytes[at] as number)) at += 1;
    if (at >= length) return -1;
    if (bytes[at] !== equals || nameEnd === from) throw damagedError('a part of it is not well-formed XML');
    at += 1;
    while (at < length && isSpace(bytes[at] as number)) at += 1;
    if (at >= length) return -1;
    const quote = bytes[at];
    if (quote !== doubleQuote && quote !== singleQuote)
      throw damagedError('a part of it is not well-formed XML');
    const valueFrom = at + 1;
    at = indexOfByte(bytes, quote, valueFrom, length);
    if (at >= length) return -1;
    const number = this.attributes;
    if (number >= attributesMax)
      throw tooLargeError('The workbook has an element with too many attributes to read.');
    this.nameFrom[number] = from;
    this.nameTo[number] = nameEnd;
    this.valueFrom[number] = valueFrom;
    this.valueTo[number] = at;
    this.attributes = number + 1;
    return at + 1;
  }

  /** Returns the name of an element. Decodes each distinct name only once. */
  private nameIn(from: number, to: number): ElementName {
    const { bytes } = this;
    let hash = 0;
    for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    for (let tries = 0; tries < collisionsMax; tries += 1) {
      const known = this.names.get(hash);
      if (known === undefined) return this.addName(hash, from, to);
      if (isSameBytes(known.bytes, bytes, from, to)) return known;
      hash = (hash + 1) | 0;
    }
    throw tooManyNames();
  }

  private addName(hash: number, from: number, to: number): ElementName {
    if (to <= from) throw damagedError('a part of it is not well-formed XML');
    if (to - from > nameLengthMax) throw tooLong();
    if (this.names.size >= elementNamesMax) throw tooManyNames();
    const bytes = this.bytes.slice(from, to);
    const name = { bytes, local: decoder.decode(bytes.subarray(bytes.indexOf(colon) + 1)) };
    this.names.set(hash, name);
    return name;
  }
}

const tooManyNames = () => tooLargeError('The workbook has too many kinds of elements to read.');
const tooLong = () => tooLargeError('The workbook has a name or a format that is too long to read.');
