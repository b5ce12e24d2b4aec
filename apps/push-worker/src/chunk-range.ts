import type { ChunkRecord } from '@draftshelf/core/connection/schema';

export const rangeOf = (chunk: ChunkRecord) => ({
  firstProduct: chunk.first_product ?? 1,
  products: chunk.products ?? 0,
});
