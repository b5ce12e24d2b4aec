import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { refreshDefinitions } from '@draftshelf/core/push/store/metafield-definitions';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { readProductDefinitions } from '@draftshelf/shopify/product-definitions';

type Read = { of: string; done: Promise<void> };

const latest = new WeakMap<ShopifyClient, Read>();

/** Reads the store's metafield definitions once per run and worker. Throws what the request throws. */
export async function definitionsOfRun(
  db: Db,
  record: ImportRecord,
  { run, session: { client, shop } }: { run: number; session: StoreSession },
): Promise<void> {
  const of = `${record.id} ${run}`;
  const before = latest.get(client);
  if (before?.of === of) return before.done;
  const read = async () => {
    const { mapping } = await readParseRun(db, currentRows(record));
    if (mapping.metafields?.length) await refreshDefinitions(db, shop, await readProductDefinitions(client));
  };
  const entry = { of, done: read() };
  latest.set(client, entry);
  entry.done.catch(() => latest.get(client) === entry && latest.delete(client));
  return entry.done;
}
