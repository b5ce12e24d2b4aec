import * as contract from '@draftshelf/contract/push/store';
import { unknownShop } from '@draftshelf/contract/wire';
import { readSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import { readPushPace } from '@draftshelf/core/push/push-series';
import { readStoreBudget } from '@draftshelf/core/push/store/store-budget';
import { readMedianPrice } from '@draftshelf/core/push/store/store-products';
import type { PostedProduct } from '@draftshelf/domain/push/posted-product';
import { pointsPerProduct } from '@draftshelf/domain/work/pace';
import { importSource } from '@draftshelf/publishing/build-draft';
import { buildPostedDraft } from '@draftshelf/publishing/build-posted-draft';
import { listDraftWarnings } from '@draftshelf/publishing/draft-warnings';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { countStoreProducts } from '@draftshelf/shopify/store-pages';
import type { StoreConnection } from '../access/store-connection.ts';
import type { StoreReads } from '../access/store-reads.ts';
import { type Api, serve } from '../http/serve.ts';

type Deps = { store: StoreConnection; storeReads: StoreReads };

export function serveStore(api: Api, { store, storeReads }: Deps): void {
  const { db } = api;
  serve(api, contract.testStore, async () => checkOf(await store.test()));
  serve(api, contract.getStore, async () => {
    const { shop, ...test } = await readShop(store, db);
    return { ...checkOf(test), ...shop };
  });
  serve(api, contract.getStoreBudget, async () => {
    const current = await store.current();
    const budget = current && (await readStoreBudget(db, current.url));
    return { budget: budget && { ...budget, productPoints: pointsPerProduct } };
  });
  serve(api, contract.getStoreMedian, async () => ({
    median: await readMedianPrice(db),
    currency: await store.currency(),
  }));
  serve(api, contract.listStoreProducts, ({ query }) => storeReads.products(query.limit));
  serve(api, contract.listCollections, () => storeReads.collections());
  serve(api, contract.dryRun, async ({ body: { product } }) => {
    const { draftMode } = await readSettings(db);
    const collections = (product.collections ?? []).length > 0 ? await knownCollections(storeReads) : null;
    return { success: true, ...dryRunOf(product, { draftMode, collections }) };
  });
}

function checkOf({ ok, message }: { ok: boolean; message: string }) {
  const status = ok ? ('success' as const) : ('error' as const);
  return { status, success: ok, message, connected: { status, message } };
}

const shopMsMax = 8_000;

async function readShop(store: StoreConnection, db: Db) {
  const current = await store.current();
  if (!current) return { ...(await store.test()), shop: unknownShop };
  const signal = AbortSignal.timeout(shopMsMax);
  try {
    const [{ shop }, total] = await Promise.all([
      current.client.request('shop', {}, { signal }),
      countOrNull(current.client, signal),
    ]);
    return {
      ok: true,
      message: `Connected to ${shop.name}.`,
      shop: {
        name: shop.name,
        domain: shop.primaryDomain.host,
        myshopify_domain: shop.myshopifyDomain,
        currency: shop.currencyCode,
        plan_name: shop.plan.publicDisplayName,
        email: shop.email,
        push_pace: await readPushPace(db, shop.myshopifyDomain),
        total_products: total,
      },
    };
  } catch (error) {
    const isOfStore = error instanceof StoreRefused || error instanceof StoreUnavailable;
    if (!isOfStore && !signal.aborted) throw error;
    const message = isOfStore ? error.message : 'The store took too long to respond.';
    return { ok: false, message, shop: unknownShop };
  }
}

/** Returns the number of products. Null if the count fails, so that the store's other data is still shown. */
const countOrNull = (client: ShopifyClient, signal: AbortSignal) =>
  countStoreProducts(client, { signal }).catch(() => null);

/** Returns the collections' titles in lower case. Null if the store does not answer. */
async function knownCollections(reads: StoreReads): Promise<ReadonlySet<string> | null> {
  const collections = await reads.collections().catch(() => null);
  return collections && new Set(collections.map(({ title }) => title.trim().toLowerCase()));
}

function dryRunOf(
  product: PostedProduct,
  { draftMode, collections }: { draftMode: boolean; collections: ReadonlySet<string> | null },
) {
  const built = buildPostedDraft(product, { draftMode, importSource });
  if (!built.ok) {
    const missing = built.missing as ('title' | 'price')[];
    const validation = { passed: false, message: contract.dryRunMessages.failed, missing, warnings: [] };
    return { validation, payload: null };
  }
  const warnings = listDraftWarnings(built.product, { status: product.status ?? null });
  for (const title of built.product.collections ?? []) {
    if (collections === null || collections.has(title.trim().toLowerCase())) continue;
    warnings.push(
      `The collection ${title} isn’t sent: the store has no collection of this name to which products can be added.`,
    );
  }
  const validation = { passed: true, message: contract.dryRunMessages.passed, missing: [], warnings };
  return { validation, payload: { ...built.product } };
}
