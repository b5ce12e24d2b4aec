import type { ChunkBounds } from '@draftshelf/csv/chunking/chunk-bounds';
import type { ChunkRecord } from '../connection/schema.ts';

export const chunkOf = (bounds: ChunkBounds) => ({
  byte_from: bounds.byteFrom,
  byte_to: bounds.byteTo,
  first_line: bounds.firstLine,
  first_row: bounds.firstRow,
  rows: bounds.rows,
  first_product: bounds.firstProduct,
  products: bounds.products,
});

/** Postgres does not enforce that a work chunk of the parse stage has all bounds. */
export function boundsOf(chunk: Pick<ChunkRecord, keyof ReturnType<typeof chunkOf>>): ChunkBounds {
  const { byte_from, byte_to, first_line, first_row, rows, first_product, products } = chunk;
  if (
    byte_from === null ||
    byte_to === null ||
    first_line === null ||
    first_row === null ||
    rows === null ||
    first_product === null ||
    products === null
  ) {
    throw new Error('A parse chunk has no bounds');
  }
  return {
    byteFrom: byte_from,
    byteTo: byte_to,
    firstLine: first_line,
    firstRow: first_row,
    rows,
    firstProduct: first_product,
    products,
  };
}
