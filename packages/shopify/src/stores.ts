import { z } from 'zod';
import { parseStoreOrigin, type ShopifyClient, type Store } from './client.ts';

const text = z.string().trim().min(1).max(500);

/** The store's credentials as saved: its address with a token, or with an app's id and secret. */
export const StoreCredentials = z.union([
  z.strictObject({ url: text, accessToken: text }),
  z.strictObject({ url: text, clientId: text, clientSecret: text }),
]);
export type StoreCredentials = z.infer<typeof StoreCredentials>;

/** A store with its client. `source`: 'server' if it is from the environment of the process, else 'saved'. */
export type OpenStore = {
  client: ShopifyClient;
  source: 'server' | 'saved';
  kind: 'token' | 'app';
  /** The URL of the store, without a path. */
  url: string;
  /** Time at which the credentials were saved. Null if they are from the environment. */
  savedAt: Date | null;
};

/** The stores that this process can reach: the current one, and those of running pushes. */
export type Stores = {
  current(): Promise<OpenStore | null>;
  /** Returns the store of a running push by myshopify domain. Null if its credentials are gone. */
  ofShop(shop: string): Promise<OpenStore | null>;
  /** Returns the reason why the saved credentials of the current store cannot be read, or null if they can. */
  problem(): Promise<string | null>;
};

type Saved = { version: number; savedAt: Date; value: unknown };

/** Reads saved credentials. The SQL is in packages/core. */
export type CredentialsReader = {
  version(): Promise<number | undefined>;
  problem(): Promise<string | null>;
  read(): Promise<Saved | undefined>;
  readOfShop(shop: string): Promise<Saved | undefined>;
};

/** Maximum number of clients kept, including those of replaced credentials. Each keeps its access token. */
const keptMax = 10;

/** Opens the environment's store, or else the saved one. Newly saved credentials apply at a process's next call. */
export function openStores(options: {
  fromEnv: Store | null;
  apiVersion: string;
  saved: CredentialsReader;
  createClient(store: Store): ShopifyClient;
}): Stores {
  const { fromEnv, saved, createClient } = options;
  if (fromEnv) {
    const store = toOpen(createClient(fromEnv), fromEnv, null);
    return { current: async () => store, ofShop: async () => store, problem: async () => null };
  }
  const kept = new Map<number, OpenStore>();
  const open = ({ version, savedAt, value }: Saved): OpenStore => {
    const before = kept.get(version);
    if (before) return before;
    const store = buildStore(StoreCredentials.parse(value), options.apiVersion);
    const opened = toOpen(createClient(store), store, savedAt);
    kept.set(version, opened);
    for (const oldest of kept.keys()) {
      if (kept.size <= keptMax) break;
      kept.delete(oldest);
    }
    return opened;
  };
  return {
    async current() {
      const version = await saved.version();
      if (version === undefined) return null;
      const before = kept.get(version);
      if (before) return before;
      const found = await saved.read();
      return found ? open(found) : null;
    },
    async ofShop(shop) {
      const found = await saved.readOfShop(shop);
      return found ? open(found) : null;
    },
    problem: () => saved.problem(),
  };
}

function toOpen(client: ShopifyClient, store: Store, savedAt: Date | null): OpenStore {
  const kind = 'accessToken' in store.credentials ? 'token' : 'app';
  return { client, source: savedAt ? 'saved' : 'server', kind, url: client.store.url, savedAt };
}

export function buildStore({ url, ...credentials }: StoreCredentials, apiVersion: string): Store {
  return { url, apiVersion, credentials };
}

const myshopify = /^[a-z\d][a-z\d-]*\.myshopify\.com$/;

/**
 * Returns the URL of a store as written: 'my-store', 'my-store.myshopify.com', the address of the store's admin, or a
 * local address that `isLocalAllowed` accepts. Null for any other text: the server sends requests to no other address.
 */
export function parseStoreUrl(written: string, isLocalAllowed: (origin: string) => boolean): string | null {
  const trimmed = written.trim().toLowerCase();
  const [, handle] = /^(?:https:\/\/)?admin\.shopify\.com\/store\/([a-z\d][a-z\d-]*)/.exec(trimmed) ?? [];
  if (handle) return `https://${handle}.myshopify.com`;
  if (/^[a-z\d][a-z\d-]*$/.test(trimmed)) return `https://${trimmed}.myshopify.com`;
  const address = /^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.parse(address);
  if (!url || url.username || url.password) return null;
  if (url.protocol === 'https:') return myshopify.test(url.host) ? url.origin : null;
  try {
    const origin = parseStoreOrigin(address);
    return isLocalAllowed(origin) ? origin : null;
  } catch {
    return null;
  }
}
