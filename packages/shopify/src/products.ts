import type { RequestOptions, ShopifyClient } from './client.ts';
import {
  idsPerLookupMax,
  type MetafieldToSet,
  maxReadSizes,
  type ProductSetVariables,
  type ReadSizes,
  type SetQuantitiesVariables,
  type StateVariables,
  variantsPerPage,
} from './documents.ts';
import { type LiveProduct, toLiveProduct } from './product/live-product.ts';
import type { ProductState, UserError } from './replies.ts';
import { isIdTaken, StoreRefused, StoreUnavailable, throwUserErrors } from './store-errors.ts';

/** Products per request. Shopify accepts 250 ids, but fewer keep the responses small. */
export const idsPerReadMax = 100;

/**
 * Sends an upsert. Returns the product's id and handle. Throws StoreRefused or StoreUnavailable for userErrors, and
 * what `request` throws. If two requests create the same id at once, the refused request is sent again, as an update.
 */
export async function setProduct(
  client: ShopifyClient,
  variables: ProductSetVariables,
  options?: RequestOptions,
): Promise<{ id: string; handle: string }> {
  try {
    return await setOnce(client, variables, options);
  } catch (error) {
    if (!isIdTaken(error)) throw error;
    return await setOnce(client, variables, { ...options, reservation: undefined });
  }
}

async function setOnce(client: ShopifyClient, variables: ProductSetVariables, options?: RequestOptions) {
  const { product, userErrors } = (await client.request('productSet', variables, options)).productSet;
  throwUserErrors(client, userErrors, { hadNoEffect: product === null });
  if (product) return product;
  throw neither('a product', 'productSet: product null, userErrors empty');
}

const neither = (what: string, detail: string) =>
  new StoreRefused(`Unexpected response from the store: neither ${what} nor an error.`, {
    ...{ scope: 'request', detail, hadNoEffect: false },
  });

export type ProductReadOptions = { sizes?: ReadSizes; locationId?: string | null };

/** No location has this id, so nothing is stocked there. */
const noLocation = 'gid://shopify/Location/0';

const stateVariables = ({ sizes = maxReadSizes, locationId }: ProductReadOptions): StateVariables => ({
  ...sizes,
  locationId: locationId ?? noLocation,
});

/** Codes of a stale quantity: changed since it was read or first sent, or (from 2026-10) not at the location. */
const staleCodes: readonly (string | null | undefined)[] = [
  'CHANGE_FROM_QUANTITY_STALE',
  'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED',
  'ITEM_NOT_STOCKED_AT_LOCATION',
];

/**
 * Sets quantities at a location. Returns `stale`, and sets none, if a quantity has changed. A call repeated with its
 * key within a day sets nothing and returns the same result. Throws StoreRefused or StoreUnavailable for other
 * userErrors, and what `request` throws.
 */
export async function setQuantities(
  client: ShopifyClient,
  { key, quantities }: { key: string; quantities: SetQuantitiesVariables['input']['quantities'] },
  options?: RequestOptions,
): Promise<'set' | 'stale'> {
  const input = { name: 'available', reason: 'correction', quantities } as const;
  const reply = await client.request('inventorySetQuantities', { key, input }, options);
  const { userErrors } = reply.inventorySetQuantities;
  const codes = userErrors.map(({ code }) => code);
  if (codes.some((code) => staleCodes.includes(code))) return 'stale';
  if (codes.includes('IDEMPOTENCY_CONCURRENT_REQUEST')) {
    throw new StoreUnavailable('Shopify is still setting these quantities.', { reason: 'server' });
  }
  // This code shows a defect of ours: another call with this key may have set other quantities.
  const hadNoEffect = !codes.includes('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
  throwUserErrors(client, userErrors, { hadNoEffect, of: 'quantity' });
  return 'set';
}

/** Reads nodes by id, 100 per request by default. Nodes that the store lacks are absent. */
export async function readNodes<Node>(
  ids: readonly string[],
  request: (ids: readonly string[]) => Promise<{ nodes: (Node | null)[] }>,
  perRead = idsPerReadMax,
): Promise<Node[]> {
  const found: Node[] = [];
  for (let from = 0; from < ids.length; from += perRead) {
    const { nodes } = await request(ids.slice(from, from + perRead));
    found.push(...nodes.filter((node) => node !== null));
  }
  return found;
}

type Page<Node> = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor?: string | null } };

/** Reads the items of a list in pages of 100, until there are at least `max`. */
export async function readPages<Node>(
  max: number,
  read: (page: { first: number; after: string | null }) => Promise<Page<Node>>,
): Promise<Node[]> {
  const found: Node[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo } = await read({ first: 100, after });
    found.push(...nodes);
    after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
  } while (after !== null && found.length < max);
  return found;
}

/** Products per request if all variants are read. More would cost the same points, but 20 already make 1 MB. */
const idsPerWideReadMax = 20;

/** Pages that hold 2,048 variants, Shopify's limit for a product. */
const variantPagesMax = Math.ceil(2_048 / variantsPerPage);

/** Reads products with all variants and up to 250 metafields. Deleted products are absent. */
export async function readProductStates(
  client: ShopifyClient,
  ids: readonly string[],
  view: ProductReadOptions,
  options?: RequestOptions,
): Promise<ProductState[]> {
  const { sizes = maxReadSizes } = view;
  const isWide = sizes.variants >= variantsPerPage;
  const perRead = isWide ? idsPerWideReadMax : idsPerReadMax;
  const variables = stateVariables(view);
  const request = (batch: readonly string[]) =>
    client.request('productNodes', { ids: batch, ...variables }, options);
  const states = await readNodes(ids, request, perRead);
  const cut = states.filter(isCut);
  if (cut.length === 0) return states;
  const whole = states.filter((state) => !isCut(state));
  if (!isWide) {
    const wide = { ...view, sizes: { ...sizes, ...wideSizes } };
    const cutIds = cut.map(({ id }) => id);
    return [...whole, ...(await readProductStates(client, cutIds, wide, options))];
  }
  for (const state of cut) whole.push(await withAllVariants(client, state, view, options));
  return whole;
}

const isCut = ({ variants, metafields }: ProductState) =>
  variants.pageInfo.hasNextPage || metafields.pageInfo.hasNextPage;

const wideSizes = { variants: variantsPerPage, metafields: 250 };

async function withAllVariants(
  client: ShopifyClient,
  state: ProductState,
  view: ProductReadOptions,
  options?: RequestOptions,
): Promise<ProductState> {
  const { locationId } = stateVariables(view);
  let { nodes, pageInfo } = state.variants;
  for (let page = 0; pageInfo.hasNextPage && page < variantPagesMax; page += 1) {
    const after = pageInfo.endCursor ?? null;
    const variables = { id: state.id, first: variantsPerPage, after, locationId };
    const { product } = await client.request('variantPage', variables, options);
    if (!product) break;
    nodes = [...nodes, ...product.variants.nodes];
    pageInfo = product.variants.pageInfo;
  }
  return { ...state, variants: { nodes, pageInfo } };
}

/** Reads products, 100 per request. The map is keyed by product id; deleted products are absent. */
export async function readLiveProducts(
  client: ShopifyClient,
  ids: readonly string[],
  view: ProductReadOptions = {},
  options?: RequestOptions,
): Promise<Map<string, LiveProduct>> {
  const states = await readProductStates(client, ids, view, options);
  return new Map(states.map((state) => [state.id, toLiveProduct(state)]));
}

/** Reads updatedAt of products, by product id, at one point per 100 products. Deleted products are absent. */
export async function readStamps(
  client: ShopifyClient,
  ids: readonly string[],
  options?: RequestOptions,
): Promise<Map<string, string>> {
  const nodes = await readNodes(ids, (batch) => client.request('productStamps', { ids: batch }, options));
  return new Map(nodes.map(({ id, updatedAt }) => [id, updatedAt]));
}

/** Reads the product with our id. Returns null if the store has none. */
export async function findOurProduct(
  client: ShopifyClient,
  externalId: string,
  view: ProductReadOptions = {},
  options?: RequestOptions,
): Promise<LiveProduct | null> {
  const variables = { externalId, ...stateVariables(view) };
  const { productByIdentifier: found } = await client.request('productByCustomId', variables, options);
  if (found && isCut(found))
    return (await readLiveProducts(client, [found.id], view, options)).get(found.id) ?? null;
  return found && toLiveProduct(found);
}

/** Maps our ids to the store's product ids. Unknown ids are absent. Costs one point per id; 25 ids per request. */
export async function findProductIds(
  client: ShopifyClient,
  externalIds: readonly string[],
  options?: RequestOptions,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < externalIds.length; from += idsPerLookupMax) {
    const batch = externalIds.slice(from, from + idsPerLookupMax);
    const last = batch.at(-1) ?? '';
    // The document has a fixed number of variables, so unused ones repeat the last id.
    const variables = Array.from({ length: idsPerLookupMax }, (_, i) => [`id${i}`, batch[i] ?? last]);
    const reply = await client.request('productIdsByCustomId', Object.fromEntries(variables), options);
    for (const [i, externalId] of batch.entries()) {
      const product = reply[`p${i}`];
      if (product) found.set(externalId, product.id);
    }
  }
  return found;
}

/**
 * Deletes a product for good. A product that is already gone counts as deleted, so the call is safe to repeat. Throws
 * StoreRefused or StoreUnavailable for other userErrors, and what `request` throws.
 */
export async function deleteProduct(
  client: ShopifyClient,
  id: string,
  options?: RequestOptions,
): Promise<'deleted' | 'gone'> {
  const { deletedProductId, userErrors } = (await client.request('productDelete', { id }, options))
    .productDelete;
  if (deletedProductId !== null) return 'deleted';
  if (userErrors.some(isGone)) return 'gone';
  throwUserErrors(client, userErrors, { hadNoEffect: true });
  throw neither('a deleted product', 'productDelete: deletedProductId null, userErrors empty');
}

/** Matches the message, because productDelete has no error codes. */
const isGone = ({ message }: UserError) => /does not exist|not found/i.test(message);

/** Deletes metafields of a product. Missing metafields are no error. Throws the same errors as `deleteProduct`. */
export async function deleteMetafields(
  client: ShopifyClient,
  id: string,
  metafields: readonly { namespace: string; key: string }[],
  options?: RequestOptions,
): Promise<void> {
  const variables = { metafields: metafields.map((one) => ({ ownerId: id, ...one })) };
  const { userErrors } = (await client.request('metafieldsDelete', variables, options)).metafieldsDelete;
  throwUserErrors(client, userErrors, { hadNoEffect: false });
}

/** Metafields per call, a limit of Shopify. */
export const metafieldsPerCallMax = 25;

const staleMetafieldCodes: readonly (string | null | undefined)[] = [
  'STALE_OBJECT',
  'INVALID_COMPARE_DIGEST',
];

/**
 * Sets at most 25 metafields of a product. Returns `stale`, and sets none, if one has changed since its digest was
 * read. Throws StoreRefused or StoreUnavailable for other userErrors, and what `request` throws.
 */
export async function setMetafields(
  client: ShopifyClient,
  id: string,
  metafields: readonly MetafieldToSet[],
  options?: RequestOptions,
): Promise<'set' | 'stale'> {
  const variables = { metafields: metafields.map((one) => ({ ownerId: id, ...one })) };
  const { userErrors } = (await client.request('metafieldsSet', variables, options)).metafieldsSet;
  if (userErrors.some(({ code }) => staleMetafieldCodes.includes(code))) return 'stale';
  throwUserErrors(client, userErrors, { hadNoEffect: true, of: 'metafield' });
  return 'set';
}
