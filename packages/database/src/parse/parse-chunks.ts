import type { ChunkBounds } from '@draftshelf/csv/chunking/chunk-bounds';

/** The columns of a work chunk of the parse stage. */
export const chunkOf = (bounds: ChunkBounds) => ({
  byte_from: bounds.byteFrom,
  byte_to: bounds.byteTo,
  first_line: bounds.firstLine,
  first_row: bounds.firstRow,
  rows: bounds.rows,
  first_product: bounds.firstProduct,
  products: bounds.products,
});
