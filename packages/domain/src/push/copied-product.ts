export type CopiedProduct = {
  /** The store's global id. */
  id: string;
  /** Our id in the store. Null if the store's product has none. */
  ourId: string | null;
  title: string;
  vendor: string;
  type: string;
  status: string;
  handle: string;
  skus: string[];
  /** GTINs with 14 digits. */
  gtins: string[];
  /** The price of the first variant. Null if there is no variant. */
  price: string | null;
  /** Sum over all variants and locations. Null if it was not read; the copy then keeps its quantity. */
  quantity: number | null;
  image: string | null;
  updatedAt: string;
};
