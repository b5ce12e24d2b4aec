import { expect, test } from 'vitest';
import { readScannedBytes } from './scanned-bytes.ts';

const text = `sku,name\n${Array.from({ length: 60_000 }, (_, row) => `${row},Größe 茶\n`).join('')}`;
const whole = new TextEncoder().encode(text);

test('the bytes of a UTF-8 file are those of the file', async () => {
  expect(await readScannedBytes(new Blob([whole]), 'utf-8', 100, 5000)).toEqual(whole.slice(100, 5000));
});

test.each([
  [0, 30],
  [65_000, 66_000],
  [300_001, 700_000],
  [whole.length - 20, whole.length],
])('of a file in UTF-16 the bytes %i to %i are those of its transcript', async (from, to) => {
  const file = new Blob([Buffer.from(`\uFEFF${text}`, 'utf16le')]);
  const bytes = await readScannedBytes(file, 'utf-16le', from, to);
  expect(Buffer.from(bytes).equals(Buffer.from(whole.subarray(from, to)))).toBe(true);
});
