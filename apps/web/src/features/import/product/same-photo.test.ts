import { expect, test } from 'vitest';
import { isMadeOf } from './same-photo.ts';

test('bytes are made of their pieces in order, with none missing', () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)];
  expect(isMadeOf(Uint8Array.of(1, 2, 3), pieces)).toBe(true);
  for (const other of [[1, 2], [1, 2, 3, 4], [1, 3, 2], []])
    expect(isMadeOf(Uint8Array.from(other), pieces)).toBe(false);
});
