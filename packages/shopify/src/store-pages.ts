import { findGtin } from '@draftshelf/domain/base/gtin';
import type { CopiedProduct } from '@draftshelf/domain/push/copied-product';
import type { RequestOptions, ShopifyClient } from './client.ts';
import type { Barcode } from './documents.ts';
import type { LiveProduct } from './product/live-product.ts';
import { readNodes } from './products.ts';
import type { CopiedState, DocumentReply } from './replies.ts';

/** Products per page, a limit of Shopify. */
const productsPerPage = 250;

export async function countStoreProducts(client: ShopifyClient, options?: RequestOptions): Promise<number> {
  return (await client.request('productsCount', {}, options)).productsCount?.count ?? 0;
}

/** Reads the next 250 products in the order of their ids, with all variants. `next` is null after the last page. */
export async function readStorePage(
  client: ShopifyClient,
  after: string | null,
  options?: RequestOptions,
): Promise<{ products: CopiedProduct[]; next: string | null }> {
  const { products } = await client.request('productPage', { first: productsPerPage, after }, options);
  const { hasNextPage, endCursor } = products.pageInfo;
  const cut = products.nodes.filter(({ variants }) => variants.pageInfo.hasNextPage);
  const cutIds = cut.map(({ id }) => id);
  const whole = await readCopies(client, cutIds, options);
  return {
    products: products.nodes.map((node) => whole.get(node.id) ?? copiedProduct(node)),
    next: hasNextPage ? (endCursor ?? null) : null,
  };
}

/** `isCut`: the product has more variants than were read. */
export type ProductCopy = CopiedProduct & { isCut: boolean };

/** Reads the copied fields of products, 100 per request, by product id. Deleted products are absent. */
export async function readCopies(
  client: ShopifyClient,
  ids: readonly string[],
  options?: RequestOptions,
): Promise<Map<string, ProductCopy>> {
  const nodes = await readNodes(ids, (batch) => client.request('copiedNodes', { ids: batch }, options));
  return new Map(
    nodes.map((node) => [node.id, { ...copiedProduct(node), isCut: node.variants.pageInfo.hasNextPage }]),
  );
}

const copiedProduct = (node: CopiedState): CopiedProduct => ({
  ...fieldsOf(node),
  ourId: node.metafield?.value ?? null,
  ...keysOf(node.variants.nodes.map((one) => ({ ...one, barcodes: one.barcodes?.nodes }))),
  price: node.variants.nodes[0]?.price ?? null,
  quantity: node.totalInventory,
  image: node.featuredMedia?.preview?.image?.url ?? null,
});

/** Returns the copy of a product that was read after a push. The copy's quantity is null, because it was not read. */
export function toProductCopy(live: LiveProduct): CopiedProduct {
  return {
    ...fieldsOf(live),
    ourId: live.externalId,
    ...keysOf(live.variants),
    price: live.variants[0]?.price ?? null,
    quantity: null,
    image: live.media.find(({ url }) => url !== null)?.url ?? null,
  };
}

type Fields = Pick<
  LiveProduct,
  'id' | 'title' | 'vendor' | 'status' | 'productType' | 'handle' | 'updatedAt'
>;

const fieldsOf = ({ id, title, vendor, status, productType: type, handle, updatedAt }: Fields) => ({
  ...{ id, title, vendor, status, type, handle, updatedAt },
});

type Keyed = { sku: string | null; barcode: string | null; barcodes?: readonly Barcode[] | undefined };

const keysOf = (variants: readonly Keyed[]) => ({
  skus: known(variants.map(({ sku }) => sku?.trim())),
  gtins: known(
    variants
      .flatMap(({ barcode, barcodes = [] }) => [barcode, ...barcodes.map(({ value }) => value)])
      .map((one) => findGtin(one ?? '')?.gtin),
  ),
});

const known = (values: readonly (string | undefined)[]): string[] =>
  [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[];

/** A product for a list of products, with at most five images and ten variants. */
export type StoreListProduct = DocumentReply<'products'>['products']['nodes'][number];

/** Returns the products changed last, latest change first. `limit` is at most 250. Throws what `request` throws. */
export async function readRecentProducts(
  client: ShopifyClient,
  limit: number,
  options?: RequestOptions,
): Promise<StoreListProduct[]> {
  return (await client.request('products', { first: limit, after: null }, options)).products.nodes;
}
