import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Budget, createShopifyClient, type ShopifyClient, type Store } from '@draftshelf/shopify/client';
import type { Plan } from '../../apps/simulators/store/src/bucket.ts';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import type { Shop } from '../../apps/simulators/store/src/demo-shop.ts';
import { loadAdminSchema } from '../../apps/simulators/store/src/schema.ts';
import { createStoreSimulator } from '../../apps/simulators/store/src/server.ts';
import type { Stats } from '../../apps/simulators/store/src/stats.ts';

export const apiVersion = '2026-10';
export const accessToken = 'shpat_test';
export const clientCredentials = { id: 'client-id', secret: 'client-secret' };

const schema = loadAdminSchema(apiVersion);

/** A clock that only tests move. */
export type TestClock = { now: () => number; pass: (ms: number) => void };

export function testClock(): TestClock {
  let nowMs = Date.parse('2026-11-20T10:00:00Z');
  return {
    now: () => nowMs,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

/** An uploaded file; `used`: the images of products that were made of it. */
type StagedEntry = {
  filename: string;
  mimeType: string;
  bytes: number | null;
  sha256: string | null;
  used: number;
};

export type TestStore = {
  url: string;
  clock: TestClock;
  fault(fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  stats(): Promise<Stats & { products: number }>;
  products(): Promise<StoredProduct[]>;
  staged(): Promise<StagedEntry[]>;
  edit(productId: string, edit: object): Promise<void>;
  /** Adds a definition of metafields of products. */
  define(definition: object): Promise<void>;
  /** Changes the scopes of the app or the daily limit on variants. */
  changeShop(change: Partial<Shop>): Promise<void>;
  /** Adds a collection, or changes or deletes the one with this id. */
  changeCollection(change: object): Promise<void>;
  stop(): Promise<void>;
};

/**
 * An empty store in this process, on a free port, with its own clock. `publicUrl`: the address in its answers;
 * `dataDir`: where its content is and stays.
 */
export async function startStore(
  options: { plan?: Plan; shop?: Shop; publicUrl?: string; dataDir?: string } = {},
): Promise<TestStore> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'store-')));
  const clock = testClock();
  const simulator = await createStoreSimulator({
    schema,
    dataDir,
    accessToken,
    client: clientCredentials,
    clock: clock.now,
    plan: options.plan ?? 'standard',
    ...(options.shop ? { shop: options.shop } : {}),
    publicUrl: options.publicUrl ?? null,
    logger: { error: (fields, message) => console.error(message, fields) },
  });
  const url = await simulator.listen(0, '127.0.0.1');
  const headers = { 'x-shopify-access-token': accessToken, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  const get = async (path: string) => await (await fetch(`${url}${path}`, { headers })).json();
  return {
    url,
    clock,
    fault: (fault) => post('/__faults', fault),
    clearFaults: async () => void (await fetch(`${url}/__faults`, { method: 'DELETE', headers })),
    stats: () => get('/__stats'),
    products: () => get('/__products'),
    staged: () => get('/__staged'),
    changeShop: (change) => post('/__shop', change),
    changeCollection: (change) => post('/__collections', change),
    define: (definition) => post('/__definitions', definition),
    edit: (productId, edit) => post(`/__edit/${productId.slice(productId.lastIndexOf('/') + 1)}`, edit),
    async stop() {
      await simulator.close();
      if (!options.dataDir) await rm(dataDir, { recursive: true });
    },
  };
}

/** A budget in memory. If points are missing, it moves the store's clock instead of waiting. */
export function memoryBudget(clock: TestClock): Budget & { waits: number; open: number } {
  let available = 2000;
  let restoreRate = 100;
  return {
    waits: 0,
    open: 0,
    async reserve(points) {
      this.open += 1;
      if (available < points) {
        this.waits += 1;
        clock.pass(Math.ceil(((points - available) / restoreRate) * 1000));
        available = points;
      }
      available -= points;
      return { points };
    },
    async report(throttle) {
      this.open -= 1;
      if (!throttle) return;
      available = throttle.currentlyAvailable;
      restoreRate = throttle.restoreRate;
    },
  };
}

/** Our client for a test's store. */
export function testClient(
  store: TestStore,
  credentials: Store['credentials'] = { accessToken },
  budget: Budget = memoryBudget(store.clock),
): ShopifyClient {
  return createShopifyClient({ url: store.url, apiVersion, credentials }, { budget, now: store.clock.now });
}
