import { expect, it } from 'vitest';
import { blobOfDataUrl, scaledSize } from './prepare-photo.ts';

it.each([
  [8064, 6048, 2048, 1536],
  [3024, 4032, 1536, 2048],
  [640, 480, 640, 480],
  [20_000, 1, 2048, 1],
])('%i × %i becomes %i × %i', (width, height, toWidth, toHeight) => {
  expect(scaledSize({ width, height })).toEqual({ width: toWidth, height: toHeight });
});

it('a data URL has its bytes and its type', async () => {
  const blob = blobOfDataUrl('data:image/jpeg;base64,/9j/4A==');
  expect(blob.type).toBe('image/jpeg');
  expect(Array.from(new Uint8Array(await blob.arrayBuffer()))).toEqual([0xff, 0xd8, 0xff, 0xe0]);
});
