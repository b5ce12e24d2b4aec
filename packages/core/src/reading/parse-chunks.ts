import type { ChunkBounds } from '@draftshelf/csv/chunking/chunk-bounds';
import type { ChunkRecord } from '../connection/schema.ts';

export const toChunkColumns = (bounds: ChunkBounds) => ({
  byte_from: bounds.byteFrom,
  byte_to: bounds.byteTo,
  first_line: bounds.firstLine,
  first_row: bounds.firstRow,
  rows: bounds.rows,
  first_product: bounds.firstProduct,
  products: bounds.products,
});

/** Returns the bounds of a parse chunk. Throws if one of them is null, which Postgres does not prevent. */
export function toChunkBounds(
  chunk: Pick<ChunkRecord, keyof ReturnType<typeof toChunkColumns>>,
): ChunkBounds {
  const { byte_from: byteFrom, byte_to: byteTo, first_line: firstLine, first_row: firstRow } = chunk;
  const { rows, first_product: firstProduct, products } = chunk;
  const isWhole =
    byteFrom !== null &&
    byteTo !== null &&
    firstLine !== null &&
    firstRow !== null &&
    rows !== null &&
    firstProduct !== null &&
    products !== null;
  if (!isWhole) throw new Error('A parse chunk has no bounds');
  return { byteFrom, byteTo, firstLine, firstRow, rows, firstProduct, products };
}
