import { chunkBytesMax } from '@draftshelf/csv/chunking/chunk-bounds';
import { expect, test } from 'vitest';
import { createBufferPool } from './parse-chunk.ts';

const sameMemory = async (memory: Buffer) => memory.buffer;

test('returned memory is lent again, also after an error', async () => {
  const { lend } = createBufferPool();
  const first = await lend(10, async (memory) => {
    expect(memory.length).toBe(10);
    return memory.buffer;
  });
  await expect(lend(20, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lend(chunkBytesMax, sameMemory)).toBe(first);
});

test('two chunks at once get separate memory', async () => {
  const { lend } = createBufferPool();
  await lend(10, async (memory) => {
    expect(await lend(10, sameMemory)).not.toBe(memory.buffer);
  });
});

test('a chunk longer than the limit gets memory of its own', async () => {
  const { lend } = createBufferPool();
  await lend(chunkBytesMax + 1, async (memory) => expect(memory.length).toBe(chunkBytesMax + 1));
  expect(await lend(1, sameMemory)).toHaveProperty('byteLength', chunkBytesMax);
});
