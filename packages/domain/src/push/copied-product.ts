/** A product in our copy of the store. */
export type CopiedProduct = {
  /** The store's global id. */
  id: string;
  /** If the store has one with it. */
  ourId: string | null;
  title: string;
  vendor: string;
  type: string;
  status: string;
  handle: string;
  skus: string[];
  /** With 14 digits. */
  gtins: string[];
  /** The price of the first variant. */
  price: string | null;
  /** Of all variants and locations; null: not read, so the copy keeps the quantity it has. */
  quantity: number | null;
  image: string | null;
  updatedAt: string;
};
