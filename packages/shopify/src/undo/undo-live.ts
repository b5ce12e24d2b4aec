import type { RequestOptions, ShopifyClient } from '../client.ts';
import { type LiveProduct, toLiveProduct } from '../product/live-product.ts';
import { type ProductReadOptions, readNodes, readProductStates } from '../products.ts';
import type { ProductState } from '../replies.ts';

/** A product as an undo reads it, with fields that a push neither sets nor compares. Times are in whole seconds. */
export type UndoLive = LiveProduct & Pick<ProductState, 'createdAt' | 'publishedAt' | 'templateSuffix'>;

/** Reads products for an undo, 100 per request. The map is keyed by product id; deleted products are absent. */
export async function readUndoProducts(
  client: ShopifyClient,
  ids: readonly string[],
  view: ProductReadOptions = {},
  options?: RequestOptions,
): Promise<Map<string, UndoLive>> {
  const states = await readProductStates(client, ids, view, options);
  return new Map(states.map((state) => [state.id, undoLive(state)]));
}

const undoLive = (state: ProductState): UndoLive => ({
  ...toLiveProduct(state),
  createdAt: state.createdAt,
  publishedAt: state.publishedAt,
  // A theme's default template has no suffix. Some stores return an empty one.
  templateSuffix: state.templateSuffix || null,
});

/** Returns the image ids that the store still has as files, each mapped to itself. */
export async function findImageFiles(
  client: ShopifyClient,
  ids: readonly string[],
  options?: RequestOptions,
): Promise<Map<string, string>> {
  const nodes = await readNodes(ids, (batch) => client.request('imageNodes', { ids: batch }, options));
  return new Map(nodes.flatMap(({ id, fileStatus }) => (fileStatus === 'FAILED' ? [] : [[id, id]])));
}

/** A change of a product from the store's history. `author` and `app` are null if unknown. */
type ProductChange = { at: string; author: string | null; app: string | null; message: string };

const changesMax = 20;

/** Returns a product's last 20 changes, delayed by some minutes. Empty if it was deleted. Throws `request`'s errors. */
export async function readProductChanges(
  client: ShopifyClient,
  id: string,
  options?: RequestOptions,
): Promise<ProductChange[]> {
  const { product } = await client.request('productEvents', { id, first: changesMax }, options);
  return (product?.events.nodes ?? []).map(({ createdAt, author, appTitle, message }) => ({
    at: createdAt,
    author: author ?? null,
    app: appTitle,
    message: withoutTags(message),
  }));
}

/** Strips HTML tags, because messages contain links. */
const withoutTags = (html: string) => html.replace(/<[^<>]*>/g, '');
