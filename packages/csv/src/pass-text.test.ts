import { expect, test } from 'vitest';
import { passText, repeatedByte } from './pass-text.ts';

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
        const to = passText(view, from, bytes.length - 3, repeatedByte(delimiter));
        const stop = bytes.findIndex((each, index) => index >= from && !isPassed(each));
        if (stop >= 0) expect(to).toBe(stop);
        else expect(to).toBeGreaterThanOrEqual(bytes.length - 3);
      }
    }
  }
});
