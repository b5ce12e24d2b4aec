/** Consecutive rows of a file that make up whole products, to be parsed as one chunk. */
export type ChunkBounds = {
  /** Offsets in the scanned bytes. `byteTo` is exclusive. */
  byteFrom: number;
  byteTo: number;
  /** 1-based physical line at `byteFrom`. */
  firstLine: number;
  firstRow: number;
  rows: number;
  /** 1-based number of the first product. */
  firstProduct: number;
  products: number;
};

export const chunkBytesMax = 4 * 1024 * 1024;
/** Maximum rows per chunk. With 20,000, small imports wait twice as long behind a large one, for equal CPU time. */
export const chunkRowsMax = 8_000;
/** A product stays whole up to this multiple of the limits of a chunk. A larger product is split. */
const productChunksMax = 4;

/** Ignored rows, and rows without `startsProduct`, belong to the product before them. */
export type BoundedRow = {
  row: number;
  line: number;
  byteFrom: number;
  byteTo: number;
  startsProduct: boolean;
  ignored: boolean;
};

export type Chunker = {
  /** Adds a row. Returns true if the row's product is split before this row: the caller must start a new group. */
  add(row: BoundedRow): boolean;
  end(): void;
  /** Each part of a split product counts as a product. */
  totals(): { rows: number; products: number };
};

/** Groups rows into chunks of whole products within the limits. A large product may reach four times the limits. */
export function createChunker(options: {
  bytesMax?: number;
  rowsMax?: number;
  onChunk: (bounds: ChunkBounds) => void;
}): Chunker {
  const { bytesMax = chunkBytesMax, rowsMax = chunkRowsMax, onChunk } = options;
  /** Complete products that are not emitted yet. */
  let whole: ChunkBounds | null = null;
  let open: ChunkBounds | null = null;
  let rows = 0;
  let products = 0;

  const fits = (bounds: ChunkBounds, times = 1) =>
    bounds.byteTo - bounds.byteFrom <= bytesMax * times && bounds.rows <= rowsMax * times;

  function closeProduct(): void {
    if (open === null) return;
    const joined = whole === null ? open : join(whole, open);
    if (whole !== null && !fits(joined)) {
      onChunk(whole);
      whole = open;
    } else {
      whole = joined;
    }
    open = null;
  }

  return {
    add(row) {
      rows += 1;
      if (open !== null && !row.startsProduct) {
        const longer = extend(open, row);
        if (fits(longer, productChunksMax)) {
          open = longer;
          return false;
        }
      }
      const splitsProduct = open !== null && !row.startsProduct;
      const counts = row.startsProduct || (splitsProduct && !row.ignored) ? 1 : 0;
      closeProduct();
      open = begin(row, products + 1, counts);
      products += counts;
      return splitsProduct;
    },
    end() {
      closeProduct();
      if (whole !== null) onChunk(whole);
      whole = null;
    },
    totals: () => ({ rows, products }),
  };
}

function begin(row: BoundedRow, firstProduct: number, products: number): ChunkBounds {
  const { byteFrom, byteTo, line, row: firstRow } = row;
  return { byteFrom, byteTo, firstLine: line, firstRow, rows: 1, firstProduct, products };
}

function extend(bounds: ChunkBounds, row: BoundedRow): ChunkBounds {
  return { ...bounds, byteTo: row.byteTo, rows: bounds.rows + 1 };
}

function join(first: ChunkBounds, second: ChunkBounds): ChunkBounds {
  return {
    ...first,
    byteTo: second.byteTo,
    rows: first.rows + second.rows,
    products: first.products + second.products,
  };
}
