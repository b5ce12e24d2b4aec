import { chunkBytesMax } from '@draftshelf/csv/chunking/chunk-bounds';

/** Memory for the bytes of chunks. */
export type ChunkMemory = {
  /** Lends memory of so many bytes until `use` has ended. */
  lend<T>(bytes: number, use: (memory: Buffer) => Promise<T>): Promise<T>;
};

/**
 * Memory that is lent again and again: of new memory for every chunk, 60 MB waited for the garbage collector. It holds
 * as much as was ever lent at once; a chunk that is longer than most, because of one product, gets memory of its own.
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
