import { chunkBytesMax } from '@draftshelf/csv/chunking/chunk-bounds';

export type ChunkMemory = {
  lend<T>(bytes: number, use: (memory: Buffer) => Promise<T>): Promise<T>;
};

/** New memory per chunk left 60 MB to the garbage collector. An oversized chunk gets its own. */
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
