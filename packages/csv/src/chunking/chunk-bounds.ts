/** A run of whole products in a file, for one parse chunk. */
export type ChunkBounds = {
  byteFrom: number;
  byteTo: number;
  /** 1-based physical line of byteFrom. */
  firstLine: number;
  firstRow: number;
  rows: number;
  /** 1-based number of the first product. */
  firstProduct: number;
  products: number;
};

export const chunkBytesMax = 4 * 1024 * 1024;
export const chunkRowsMax = 20_000;
/** A product may make a cut so many times larger before it is cut apart. */
const productChunksMax = 4;

/** A row without startsProduct belongs to the product before it, an ignored one goes with it. */
export type BoundedRow = {
  row: number;
  line: number;
  byteFrom: number;
  byteTo: number;
  startsProduct: boolean;
  ignored: boolean;
};

export type Chunker = {
  /**
   * Takes the data rows of a file in order. Answers whether a cut had to begin in the midst of a product, before this
   * row: whoever reads that cut alone sees a new product there, so whoever groups rows has to begin anew with this one.
   */
  add(row: BoundedRow): boolean;
  /** Tells that no rows follow; hands over what is left. */
  end(): void;
  /** Of all rows added so far. A product that had to be cut apart counts as two. */
  totals(): { rows: number; products: number };
};

/**
 * Gathers rows into cuts at borders between products. A cut ends before it exceeds bytesMax or rowsMax, unless one
 * product alone does, with the ignored rows behind it; that is kept whole up to four times as much, then cut apart.
 */
export function chunker(options: {
  bytesMax?: number;
  rowsMax?: number;
  onChunk: (cut: ChunkBounds) => void;
}): Chunker {
  const { bytesMax = chunkBytesMax, rowsMax = chunkRowsMax, onChunk } = options;
  /** Whole products that wait to become a cut. */
  let whole: ChunkBounds | null = null;
  /** The product whose rows are still coming. */
  let open: ChunkBounds | null = null;
  let rows = 0;
  let products = 0;

  const fits = (cut: ChunkBounds, times = 1) =>
    cut.byteTo - cut.byteFrom <= bytesMax * times && cut.rows <= rowsMax * times;

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
      const breaks = open !== null && !row.startsProduct;
      const counts = row.startsProduct || (breaks && !row.ignored) ? 1 : 0;
      closeProduct();
      open = begin(row, products + 1, counts);
      products += counts;
      return breaks;
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

function extend(cut: ChunkBounds, row: BoundedRow): ChunkBounds {
  return { ...cut, byteTo: row.byteTo, rows: cut.rows + 1 };
}

function join(first: ChunkBounds, second: ChunkBounds): ChunkBounds {
  return {
    ...first,
    byteTo: second.byteTo,
    rows: first.rows + second.rows,
    products: first.products + second.products,
  };
}
