// COPY's binary format: https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"

/** The header before the first row: the signature, no flags and no extension. */
export const copyHeader: Buffer = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
export const copyTrailer: Buffer = Buffer.from([0xff, 0xff]);

/** A piece is full from this number of bytes on. One long piece per batch made COPY 2–3 times slower. */
const pieceBytes = 64 * 1024;
/** Bytes for the row that fills the piece. A longer row enlarges the buffer. */
const lastRowBytes = 8 * 1024;

/** Texts up to this length are written byte by byte, which takes no longer than a call of the C++ writer. */
const shortCharsMax = 32;
/** Looked up once: look-ups on strings of all V8 forms took a tenth of a worker's CPU time. */
const { charCodeAt } = String.prototype;
const utf8BytesPerCharMax = 3;

/** The oid of text in pg_type, for the elements of arrays. */
const textType = 25;

export class CopyBuffer {
  #bytes = Buffer.allocUnsafeSlow(pieceBytes + lastRowBytes);
  #at = 0;

  get isFull(): boolean {
    return this.#at >= pieceBytes;
  }

  /** Returns the bytes written so far. Write nothing more after this call. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  beginRow(fields: number): void {
    this.#need(2);
    this.#at = this.#bytes.writeInt16BE(fields, this.#at);
  }

  bytes(value: Uint8Array): void {
    this.#length(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Writes a bytea of signed four-byte numbers. */
  words(values: readonly number[] | null): void {
    if (values === null) {
      this.#null();
      return;
    }
    this.#length(4 * values.length);
    for (const value of values) this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  boolean(value: boolean): void {
    this.#length(1);
    this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#at);
  }

  /** Writes an int4. Throws RangeError for a number out of range. */
  integer(value: number | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    this.#length(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  /** Writes an int8 that is 0 or greater. */
  bigInteger(value: number | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    this.#length(8);
    this.#at = this.#bytes.writeUInt32BE(Math.floor(value / 2 ** 32), this.#at);
    this.#at = this.#bytes.writeUInt32BE(value % 2 ** 32, this.#at);
  }

  /** Writes a text with U+FFFD for NUL, which a Postgres text cannot hold. The JSON of the cells keeps NUL. */
  text(value: string | null): void {
    if (value === null) this.#null();
    else if (!this.#shortText(value))
      this.#string(value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value);
  }

  /** Writes JSON. NUL becomes \u0000, which a json column, unlike jsonb, stores as it is. */
  json(value: readonly string[] | Readonly<Record<string, string>> | null): void {
    if (value === null) this.#null();
    else this.#string(JSON.stringify(value));
  }

  number(value: number | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    this.#length(8);
    this.#at = this.#bytes.writeDoubleBE(value, this.#at);
  }

  texts(values: readonly string[] | null): void {
    if (values === null) {
      this.#null();
      return;
    }
    this.#need(24);
    const from = this.#at;
    this.#at += 4;
    for (const word of [1, 0, textType, values.length, 1])
      this.#at = this.#bytes.writeInt32BE(word, this.#at);
    for (const value of values) this.text(value);
    this.#bytes.writeInt32BE(this.#at - from - 4, from);
  }

  #null(): void {
    this.#need(4);
    this.#at = this.#bytes.writeInt32BE(-1, this.#at);
  }

  #length(bytes: number): void {
    this.#need(4 + bytes);
    this.#at = this.#bytes.writeInt32BE(bytes, this.#at);
  }

  /** Writes a short text of ASCII characters without NUL. Returns false and writes nothing for other texts. */
  #shortText(value: string): boolean {
    const length = value.length;
    if (length > shortCharsMax) return false;
    this.#need(4 + length);
    const bytes = this.#bytes;
    const from = this.#at + 4;
    for (let index = 0; index < length; index += 1) {
      const char = charCodeAt.call(value, index);
      if (char === 0 || char > 0x7f) return false;
      bytes[from + index] = char;
    }
    bytes.writeInt32BE(length, this.#at);
    this.#at = from + length;
    return true;
  }

  #string(value: string): void {
    this.#need(4 + value.length * utf8BytesPerCharMax);
    const from = this.#at + 4;
    const length = this.#bytes.write(value, from);
    this.#bytes.writeInt32BE(length, this.#at);
    this.#at = from + length;
  }

  #need(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(longer, 0, 0, this.#at);
    this.#bytes = longer;
  }
}
