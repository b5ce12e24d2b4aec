import { chunkBytesMax } from '@draftshelf/csv/chunking/chunk-bounds';

/** Memory for the bytes of chunks. */
export type ChunkMemory = {
  /** Lends this many bytes until `use` has ended. */
  lend<T>(bytes: number, use: (memory: Buffer) => Promise<T>): Promise<T>;
};

/**
 * Reusable memory: with new memory for every chunk, 60 MB waited for the garbage collector. It holds as much as was
 * ever lent at once. A chunk that is unusually long, because of one large product, gets memory of its own.
 */
export function chunkMemory(): ChunkMemory {
  const free: Buffer[] = [];
  return {
    async lend(bytes, use) {
      if (bytes > chunkBytesMax) return use(Buffer.allocUnsafeSlow(bytes));
      const memory = free.pop() ?? Buffer.allocUnsafeSlow(chunkBytesMax);
      try {
        return await use(memory.subarray(0, bytes));
      } finally {
        free.push(memory);
      }
    },
  };
}
