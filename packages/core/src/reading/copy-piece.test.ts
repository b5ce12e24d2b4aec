import { describe, expect, test } from 'vitest';
import { CopyBuffer, copyHeader, copyTrailer } from './copy-piece.ts';

/** The bytes that `write` produces in a new piece. */
function written(write: (piece: CopyBuffer) => void): Buffer {
  const piece = new CopyBuffer();
  write(piece);
  return piece.written();
}

/** A field as COPY's binary format has it: its length in four bytes, then its bytes. */
function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const textField = (text: string) => field(Buffer.from(text));

describe('a piece of COPY in its binary format', () => {
  test('begins with the signature, no flags and no extension, and ends with a count of -1', () => {
    expect(copyHeader.toString('hex')).toBe('5047434f50590aff0d0a000000000000000000');
    expect(copyTrailer.toString('hex')).toBe('ffff');
  });

  test('writes numbers with the highest byte first', () => {
    expect(written((piece) => piece.beginRow(18)).toString('hex')).toBe('0012');
    expect(written((piece) => piece.integer(258)).toString('hex')).toBe('0000000400000102');
    expect(written((piece) => piece.integer(-2)).toString('hex')).toBe('00000004fffffffe');
    expect(written((piece) => piece.bigInteger(2 ** 33 + 3)).toString('hex')).toBe(
      '000000080000000200000003',
    );
    expect(written((piece) => piece.number(-2.5)).toString('hex')).toBe('00000008c004000000000000');
    expect(written((piece) => piece.boolean(true)).toString('hex')).toBe('0000000101');
    expect(written((piece) => piece.bytes(Uint8Array.of(7, 9))).toString('hex')).toBe('000000020709');
    expect(written((piece) => piece.words([-2, 258])).toString('hex')).toBe('00000008fffffffe00000102');
  });

  test('writes what is missing with the length -1', () => {
    const missing = ['words', 'integer', 'bigInteger', 'number', 'text', 'texts', 'json'] as const;
    for (const type of missing) {
      expect(written((piece) => piece[type](null)).toString('hex')).toBe('ffffffff');
    }
  });

  test('rejects a number outside int4', () => {
    expect(() => written((piece) => piece.integer(2 ** 31))).toThrow(RangeError);
  });

  test.each(['', 'Vase', 'Vase à fleurs', '花瓶'.repeat(20), '🏺', `${'x'.repeat(32)}é`, 'a\tb\\c\nd\re'])(
    'writes the text %j as UTF-8',
    (text) => {
      expect(written((piece) => piece.text(text))).toEqual(textField(text));
    },
  );

  test('replaces a NUL in a text, which Postgres cannot hold, and keeps it in JSON', () => {
    expect(written((piece) => piece.text('a\0b'))).toEqual(textField('a\uFFFDb'));
    expect(written((piece) => piece.text(`${'x'.repeat(40)}\0`))).toEqual(
      textField(`${'x'.repeat(40)}\uFFFD`),
    );
    expect(written((piece) => piece.json(['a\0"b\\', 'é']))).toEqual(textField('["a\\u0000\\"b\\\\","é"]'));
  });

  test('distinguishes null from an empty text', () => {
    const nothing = written((piece) => {
      piece.text(null);
      piece.json(null);
    });
    expect(nothing.toString('hex')).toBe('ffffffffffffffff');
  });

  test('grows for a row that is longer than a piece', () => {
    const long = '花'.repeat(200_000);
    const piece = new CopyBuffer();
    piece.text('first');
    expect(piece.isFull).toBe(false);
    piece.text(long);
    expect(piece.isFull).toBe(true);
    piece.text('last');
    expect(piece.written()).toEqual(Buffer.concat([textField('first'), textField(long), textField('last')]));
  });
});
