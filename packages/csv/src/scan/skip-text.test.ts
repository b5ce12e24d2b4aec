import { expect, test } from 'vitest';
import { passAnyText, repeatedByte, skipText } from './skip-text.ts';

/** Text, with every byte put at every place: what the words passed say is what byte after byte says. */
test.each([0x2c, 0x09, 0x3b, 0x7c])('passes ASCII up to the delimiter %i or LF', (delimiter) => {
  const isPassed = (byte: number) => byte < 0x80 && byte !== delimiter && byte !== 0x0a;
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  for (const rest of [0x61, 0x0b, delimiter + 1, 0, 0x7f]) {
    for (let byte = 0; byte < 256; byte += 1) {
      for (let at = 0; at < 12; at += 1) {
        bytes.fill(rest);
        bytes[at] = byte;
        bytes[at + 1] = byte ^ 1;
        const from = at % 5;
        const to = skipText(view, from, bytes.length - 3, repeatedByte(delimiter));
        const stop = bytes.findIndex((each, index) => index >= from && !isPassed(each));
        if (stop >= 0) expect(to).toBe(stop);
        else expect(to).toBeGreaterThanOrEqual(bytes.length - 3);
      }
    }
  }
});

/** What is passed is counted as the text that it is: the words say what decoding says. */
test.each(['Stühle, Größe', 'Стул,Цена', '椅子;価格', 'a🪑,🪑🪑 b', '©£ \u0080,é', '🪑é椅a\n'])(
  'passes %j and counts it',
  (text) => {
    const shift = new TextEncoder().encode(text);
    for (let at = 0; at < 9; at += 1) {
      const bytes = Uint8Array.of(...new Uint8Array(at).fill(0x61), ...shift, ...shift, 0x2c, 0, 0, 0);
      const passed = { surplus: 0, mayHoldControls: false };
      const view = new DataView(bytes.buffer);
      const to = passAnyText(view, 0, bytes.length - 3, repeatedByte(0x2c), passed);
      expect(to).toBe(bytes.findIndex((byte) => byte === 0x2c || byte === 0x0a));
      const read = new TextDecoder().decode(bytes.subarray(0, to));
      expect(passed.surplus).toBe(to - read.length);
      if (/[\u0080-\u009f]/.test(read)) expect(passed.mayHoldControls).toBe(true);
      if (!bytes.includes(0xc2)) expect(passed.mayHoldControls).toBe(false);
    }
  },
);
