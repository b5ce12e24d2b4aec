import type { ChunkRecord } from '@draftshelf/core/connection/schema';

/** The products, or lines, of a chunk. */
export const rangeOf = (chunk: ChunkRecord) => ({
  firstProduct: chunk.first_product ?? 1,
  products: chunk.products ?? 0,
});
