import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const ofPieces = (bytes: Uint8Array, pieceBytes: number) => {
  const hash = sha256();
  for (let at = 0; at < bytes.length; at += pieceBytes) hash.push(bytes.subarray(at, at + pieceBytes));
  return hash.hex();
};

test('the hash is that of the server, whatever the length and the pieces', () => {
  const bytes = randomBytes(300);
  for (let length = 0; length <= bytes.length; length += 1) {
    const part = bytes.subarray(0, length);
    const digest = createHash('sha256').update(part).digest('hex');
    expect([1, 7, 64, 1000].map((pieceBytes) => ofPieces(part, pieceBytes))).toEqual(Array(4).fill(digest));
  }
  const large = randomBytes(1_000_003);
  expect(ofPieces(large, 65_537)).toBe(createHash('sha256').update(large).digest('hex'));
});
