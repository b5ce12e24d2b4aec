import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { documents } from '@draftshelf/shopify/documents';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { testDraft } from '@draftshelf/shopify/testing/drafts';
import type { BenchStore } from './bench-stack.ts';

/** Creates products for a time; returns how many. */
export type BareClient = (store: BenchStore, ms: number) => Promise<number>;

/** A client that sends as fast as it can, and a refused call at once again. */
export const unpacedClient =
  (calls: number): BareClient =>
  async (store, ms) => {
    await prepare(store);
    const until = performance.now() + ms;
    let created = 0;
    const lane = async () => {
      while (performance.now() < until) if (await create(store)) created += 1;
    };
    await Promise.all(Array.from({ length: calls }, lane));
    return created;
  };

/** A client that sends a call every `everyMs`, whatever the store answers. */
export const fixedRateClient =
  (everyMs: number): BareClient =>
  async (store, ms) => {
    await prepare(store);
    const begun = performance.now();
    const sent: Promise<boolean>[] = [];
    for (let nth = 0; nth * everyMs < ms; nth += 1) {
      await pause(Math.max(0, begun + nth * everyMs - performance.now()));
      sent.push(create(store));
    }
    return (await Promise.all(sent)).filter(Boolean).length;
  };

async function prepare(store: BenchStore): Promise<void> {
  const definition = { name: 'id', namespace: 'scd', key: 'external_id', ownerType: 'PRODUCT', type: 'id' };
  await store.ask(documents.metafieldDefinitionCreate, { definition });
}

async function create(store: BenchStore): Promise<boolean> {
  const draft = testDraft({
    metafields: ['import_source', 'upc'].map((key) => ({
      ...{ namespace: 'scd' as const, key, value: key },
      type: 'single_line_text_field',
    })),
  });
  const options = { externalId: randomUUID(), locationId: null, collectionIds: [] };
  const { errors } = await store.ask(documents.productSet, toCreateInput(draft, options));
  return errors === undefined;
}
