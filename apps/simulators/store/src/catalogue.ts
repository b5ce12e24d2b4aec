import { demoCollections, type StoredCollection } from './demo-shop.ts';
import { type Journal, openJournal, rewriteJournal } from './journal.ts';

export type StoredMedia = {
  id: number;
  originalSource: string;
  alt: string | null;
  addedAtMs: number;
  /** The token of the staged upload that it was made from; absent: from an address on the web. */
  staged?: string;
  /** The code of the error with which its processing ends. */
  failure?: string;
};
export type StoredMetafield = { id: number; namespace: string; key: string; type: string; value: string };
export type StoredOption = { id: number; name: string; values: { id: number; name: string }[] };
export type StoredBarcode = { type?: string | null; value: string };
export type StoredVariant = {
  id: number;
  inventoryItemId: number;
  optionValues: { name: string; value: string }[];
  price: string;
  compareAtPrice: string | null;
  sku: string | null;
  barcode: string | null;
  /** All of them, if there are several. */
  barcodes?: StoredBarcode[];
  cost: string | null;
  tracked: boolean;
  inventoryPolicy: string;
  taxable: boolean;
  weight?: { value: number; unit: string };
  harmonizedSystemCode?: string;
  countryCodeOfOrigin?: string;
  /** The sum over all locations. */
  quantity: number;
  /** By location; absent in products of an older version: all at the main location. */
  quantities?: Record<string, number>;
  /** At locations that it was taken out of. */
  inactive?: Record<string, number>;
};
export type StoredProduct = {
  id: number;
  handle: string;
  title: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  tags: string[];
  status: string;
  createdAtMs: number;
  updatedAtMs: number;
  options: StoredOption[];
  variants: StoredVariant[];
  media: StoredMedia[];
  metafields: StoredMetafield[];
  collectionIds: string[];
  seo?: { title?: string | undefined; description?: string | undefined };
  /** The id of a category of the taxonomy. */
  category?: string;
  /** Set by people; our app never sets them. */
  publishedAtMs?: number;
  templateSuffix?: string;
  /** Changes by people, oldest first. */
  changes?: { atMs: number; author: string; message: string }[];
};
export type StoredDefinition = {
  id: number;
  ownerType: string;
  namespace: string;
  key: string;
  name: string;
  type: string;
  description?: string | null;
  validations?: { name: string; value: string | null }[];
  isRemoved?: true;
};

/** Type and size of a picture, from its header. */
export type StagedPicture = { type: string; width: number; height: number };

/** An address for an upload. `stored`: the uploaded bytes, which are in a file named by the token. */
export type StagedFile = {
  token: string;
  filename: string;
  mimeType: string;
  untilMs: number;
  stored: { bytes: number; sha256: string; picture: StagedPicture | null } | null;
};

/** A call with an idempotency key: a hash of its parameters, and its answer. Those of an older version have no time. */
export type IdempotentCall = {
  key: string;
  parameters: string;
  reply: object;
  failed: boolean;
  atMs?: number;
};

type StoredRecord =
  | { collection: StoredCollection }
  | { deletedCollection: string }
  | { idempotentCall: IdempotentCall }
  | { stagedFile: StagedFile }
  | { looseFile: StoredMedia }
  | { usedFile: number }
  | { product: StoredProduct }
  | { deletedProduct: number }
  | { definition: StoredDefinition };

/** Everything the store holds, in memory, with each change in the journal. */
export type Catalogue = {
  products: ReadonlyMap<number, StoredProduct>;
  definitions: readonly StoredDefinition[];
  /** By id. */
  collections: ReadonlyMap<string, StoredCollection>;
  /** By token. */
  stagedFiles: ReadonlyMap<string, StagedFile>;
  /** Images that no product has any more, by id. */
  looseFiles: ReadonlyMap<number, StoredMedia>;
  nextId(): number;
  definition(ownerType: string, namespace: string, key: string): StoredDefinition | undefined;
  productByHandle(handle: string): StoredProduct | undefined;
  /** The product with the variant of an inventory item. */
  productByInventoryItem(id: number): StoredProduct | undefined;
  /** By a metafield whose definition is of type `id`; undefined if no product carries the value. */
  productByCustomId(namespace: string, key: string, value: string): StoredProduct | undefined;
  /** Replaces a product. Products are values: the caller must not change it afterwards. */
  putProduct(product: StoredProduct): void;
  deleteProduct(id: number): void;
  addDefinition(definition: StoredDefinition): void;
  /** Adds or replaces a collection. */
  putCollection(collection: StoredCollection): void;
  deleteCollection(id: string): void;
  /** Undefined: none within the last day. */
  idempotentCall(key: string, nowMs: number): IdempotentCall | undefined;
  addIdempotentCall(call: IdempotentCall & { atMs: number }): void;
  /** Adds or replaces a staged file. */
  putStagedFile(file: StagedFile): void;
  putLooseFile(file: StoredMedia): void;
  /** A product has the image now. */
  useLooseFile(id: number): void;
  flushed(): Promise<void>;
  close(): Promise<void>;
};

/** Ids look like those of a store that is some years old, so that they are not mistaken for row numbers. */
const firstId = 8_100_000_000_001;

/** Shopify forgets idempotency keys after a day. */
const idempotentMsMax = 86_400_000;

/** A journal with this many lines more than records is rewritten at the start. */
const staleLinesMax = 10_000;

/** Opens the catalogue in a directory; an empty directory is an empty store. */
export async function openCatalogue(dataDir: string): Promise<Catalogue> {
  const state = createState();
  let lines = 0;
  const take = (record: unknown) => {
    lines += 1;
    state.apply(record as StoredRecord);
  };
  let journal = await openJournal(dataDir, take);
  const stale = lines - [...state.records()].length;
  if (stale > staleLinesMax && stale > lines / 2) {
    await journal.close();
    await rewriteJournal(dataDir, state.records());
    journal = await openJournal(dataDir, () => {});
  }
  return catalogueOf(state, journal);
}

function catalogueOf(state: State, journal: Journal): Catalogue {
  const change = (record: StoredRecord) => {
    state.apply(record);
    journal.append(record);
  };
  return {
    products: state.products,
    definitions: state.definitions,
    nextId: state.nextId,
    definition: (ownerType, namespace, key) =>
      state.definitions.find(
        (one) => one.ownerType === ownerType && one.namespace === namespace && one.key === key,
      ),
    productByHandle: (handle) => state.byHandle.get(handle),
    productByCustomId: (namespace, key, value) => state.byCustomId.get(customIdKey(namespace, key, value)),
    collections: state.collections,
    stagedFiles: state.stagedFiles,
    looseFiles: state.looseFiles,
    productByInventoryItem: (id) => state.byInventoryItem.get(id),
    putProduct: (product) => change({ product }),
    deleteProduct: (id) => change({ deletedProduct: id }),
    addDefinition: (definition) => change({ definition }),
    putCollection: (collection) => change({ collection }),
    deleteCollection: (id) => change({ deletedCollection: id }),
    idempotentCall(key, nowMs) {
      const call = state.idempotentCalls.get(key);
      return call && !isForgotten(call, nowMs) ? call : undefined;
    },
    addIdempotentCall: (idempotentCall) => change({ idempotentCall }),
    putStagedFile: (stagedFile) => change({ stagedFile }),
    putLooseFile: (looseFile) => change({ looseFile }),
    useLooseFile: (id) => change({ usedFile: id }),
    flushed: () => journal.flushed(),
    async close() {
      await journal.flushed();
      await journal.close();
    },
  };
}

type State = ReturnType<typeof createState>;

function createState() {
  const products = new Map<number, StoredProduct>();
  const byHandle = new Map<string, StoredProduct>();
  const byCustomId = new Map<string, StoredProduct>();
  const byInventoryItem = new Map<number, StoredProduct>();
  const collections = new Map(demoCollections.map((one) => [one.id, one]));
  const idempotentCalls = new Map<string, IdempotentCall>();
  const stagedFiles = new Map<string, StagedFile>();
  const looseFiles = new Map<number, StoredMedia>();
  const definitions: StoredDefinition[] = [];
  let lastId = firstId - 1;

  function forget(id: number): void {
    const product = products.get(id);
    if (!product) return;
    products.delete(id);
    byHandle.delete(product.handle);
    for (const variant of product.variants) byInventoryItem.delete(variant.inventoryItemId);
    for (const one of product.metafields) byCustomId.delete(customIdKey(one.namespace, one.key, one.value));
  }

  function remember(product: StoredProduct): void {
    products.set(product.id, product);
    byHandle.set(product.handle, product);
    for (const one of product.metafields) {
      if (one.type === 'id') byCustomId.set(customIdKey(one.namespace, one.key, one.value), product);
    }
    const ids = [product, ...product.variants, ...product.media, ...product.metafields, ...product.options];
    for (const one of ids) lastId = Math.max(lastId, one.id);
    for (const variant of product.variants) {
      byInventoryItem.set(variant.inventoryItemId, product);
      lastId = Math.max(lastId, variant.inventoryItemId);
    }
    for (const option of product.options)
      for (const value of option.values) lastId = Math.max(lastId, value.id);
  }

  return {
    products,
    byHandle,
    byCustomId,
    byInventoryItem,
    collections,
    idempotentCalls,
    stagedFiles,
    looseFiles,
    definitions,
    nextId() {
      lastId += 1;
      return lastId;
    },
    apply(record: StoredRecord): void {
      if ('product' in record) {
        forget(record.product.id);
        remember(record.product);
      } else if ('deletedProduct' in record) {
        forget(record.deletedProduct);
      } else if ('collection' in record) {
        collections.set(record.collection.id, record.collection);
      } else if ('deletedCollection' in record) {
        collections.delete(record.deletedCollection);
      } else if ('stagedFile' in record) {
        stagedFiles.set(record.stagedFile.token, record.stagedFile);
      } else if ('looseFile' in record) {
        looseFiles.set(record.looseFile.id, record.looseFile);
        lastId = Math.max(lastId, record.looseFile.id);
      } else if ('usedFile' in record) {
        looseFiles.delete(record.usedFile);
      } else if ('idempotentCall' in record) {
        const { key, atMs = 0 } = record.idempotentCall;
        idempotentCalls.delete(key);
        idempotentCalls.set(key, record.idempotentCall);
        for (const [oldest, call] of idempotentCalls) {
          if (!isForgotten(call, atMs)) break;
          idempotentCalls.delete(oldest);
        }
      } else {
        const { definition } = record;
        const at = definitions.findIndex(({ id }) => id === definition.id);
        if (at < 0) definitions.push(definition);
        else definitions.splice(at, 1, ...(definition.isRemoved ? [] : [definition]));
        lastId = Math.max(lastId, definition.id);
      }
    },
    *records(): Iterable<StoredRecord> {
      for (const definition of definitions) yield { definition };
      for (const product of products.values()) yield { product };
      for (const one of demoCollections) if (!collections.has(one.id)) yield { deletedCollection: one.id };
      for (const collection of collections.values()) {
        if (!demoCollections.includes(collection)) yield { collection };
      }
      for (const stagedFile of stagedFiles.values()) yield { stagedFile };
      for (const looseFile of looseFiles.values()) yield { looseFile };
      for (const idempotentCall of idempotentCalls.values()) yield { idempotentCall };
    },
  };
}

const isForgotten = ({ atMs = 0 }: IdempotentCall, nowMs: number) => nowMs - atMs >= idempotentMsMax;

function customIdKey(namespace: string, key: string, value: string): string {
  return JSON.stringify([namespace, key, value]);
}
