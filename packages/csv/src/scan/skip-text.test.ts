import { expect, test } from 'vitest';
import { repeatByte, skipText, skipUnicodeText } from './skip-text.ts';

/** Puts every byte at every place: words must give the same result as single bytes. */
test.each([0x2c, 0x09, 0x3b, 0x7c])('skips ASCII up to the delimiter %i or LF', (delimiter) => {
  const isSkipped = (byte: number) => byte < 0x80 && byte !== delimiter && byte !== 0x0a;
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  for (const rest of [0x61, 0x0b, delimiter + 1, 0, 0x7f]) {
    for (let byte = 0; byte < 256; byte += 1) {
      for (let at = 0; at < 12; at += 1) {
        bytes.fill(rest);
        bytes[at] = byte;
        bytes[at + 1] = byte ^ 1;
        const from = at % 5;
        const to = skipText(view, from, bytes.length - 3, repeatByte(delimiter));
        const stop = bytes.findIndex((each, index) => index >= from && !isSkipped(each));
        if (stop >= 0) expect(to).toBe(stop);
        else expect(to).toBeGreaterThanOrEqual(bytes.length - 3);
      }
    }
  }
});

/** Counting by words and decoding must find the same number of extra bytes. */
test.each(['Stühle, Größe', 'Стул,Цена', '椅子;価格', 'a🪑,🪑🪑 b', '©£ \u0080,é', '🪑é椅a\n'])(
  'skips %j and counts its extra bytes',
  (text) => {
    const shift = new TextEncoder().encode(text);
    for (let at = 0; at < 9; at += 1) {
      const bytes = Uint8Array.of(...new Uint8Array(at).fill(0x61), ...shift, ...shift, 0x2c, 0, 0, 0);
      const skipped = { utf8ExtraBytes: 0, mayHoldControls: false };
      const view = new DataView(bytes.buffer);
      const to = skipUnicodeText(view, 0, bytes.length - 3, repeatByte(0x2c), skipped);
      expect(to).toBe(bytes.findIndex((byte) => byte === 0x2c || byte === 0x0a));
      const read = new TextDecoder().decode(bytes.subarray(0, to));
      expect(skipped.utf8ExtraBytes).toBe(to - read.length);
      if (/[\u0080-\u009f]/.test(read)) expect(skipped.mayHoldControls).toBe(true);
      if (!bytes.includes(0xc2)) expect(skipped.mayHoldControls).toBe(false);
    }
  },
);
