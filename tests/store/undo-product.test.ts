import type { DraftProduct } from '@draftshelf/domain/draft-product';
import type { UndoDecision } from '@draftshelf/publishing/undo/undo-decision';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { ensureMetafieldDefinitions } from '@draftshelf/shopify/ensure-definitions';
import { createInput } from '@draftshelf/shopify/product-set-input';
import { readLiveProducts, setProduct } from '@draftshelf/shopify/products';
import { deleteMetafields } from '@draftshelf/shopify/undo/deletions';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { quantitiesOf } from '../../apps/simulators/store/src/inventory.ts';
import { createRandom, type Random, seedOfRun } from '../faults/fault-random.ts';
import { changedDraft, randomDraft } from './random-drafts.ts';
import { startStore, type TestStore, testClient } from './start-store.ts';
import { type Known, locationId, type PushedWrite, push, undo } from './undo-loop.ts';

let store: TestStore;
let client: ShopifyClient;
beforeEach(async () => {
  store = await startStore({ plan: 'enterprise' });
  client = testClient(store);
  await ensureMetafieldDefinitions(client);
});
afterEach(() => store.stop());

const seed = seedOfRun();

const kinds = ['created', 'updated', 'taken over'] as const;
type Kind = (typeof kinds)[number];

/** A product before a push: none, one of ours that people have worked on, or one of the merchant. */
async function productBefore(
  kind: Kind,
  ourId: string,
  random: Random,
): Promise<{ known: Known | null; draft: DraftProduct }> {
  const draft = randomDraft(random);
  if (kind === 'created') return { known: null, draft };
  const { id } = await setProduct(
    client,
    createInput(draft, { externalId: ourId, locationId, collectionIds: [] }),
  );
  store.clock.pass(5_000);
  if (kind === 'taken over') {
    await deleteMetafields(
      client,
      id,
      ['external_id', 'payload'].map((key) => ({ namespace: 'scd', key })),
    );
    await store.edit(id, { tags: ['own', 'Lamp'], alt: 'Front', seo: { title: 'Own' } });
    return { known: { id, sent: null, baseline: null }, draft };
  }
  await store.edit(id, random.pick([{ quantity: 3 }, { metafield: note }, { seo: { title: 'Own' } }]));
  const baseline = (await readLiveProducts(client, [id], { locationId })).get(id) ?? null;
  return { known: { id, sent: draft, baseline }, draft };
}

const note = { namespace: 'custom', key: 'note', type: 'single_line_text_field', value: 'Handle with care' };

/** A product without what only the store decides: times, ids of values that a restore creates again, and their order. */
function comparable(product: StoredProduct | undefined, ids: Map<string, number>): object | undefined {
  if (!product) return undefined;
  const { updatedAtMs: _updated, changes: _changes, ...rest } = product;
  return {
    ...rest,
    options: product.options.map(({ name, values }) => ({ name, values: values.map((one) => one.name) })),
    variants: product.variants.map(({ id, inventoryItemId: _item, quantities: _quantities, ...variant }) => ({
      ...variant,
      id: ids.get(JSON.stringify(variant.optionValues)) ?? id,
      weight: variant.weight?.value ? variant.weight : null,
      stock: quantitiesOf({
        ...variant,
        id,
        inventoryItemId: 0,
        ...(_quantities ? { quantities: _quantities } : {}),
      }),
    })),
    media: product.media.map((one) => ({ ...one, alt: one.alt ?? '' })),
    metafields: product.metafields
      .map(({ id: _id, ...one }) => one)
      .sort((a, b) => (a.namespace + a.key < b.namespace + b.key ? -1 : 1)),
    tags: [...product.tags].sort(),
    collectionIds: [...product.collectionIds].sort(),
  };
}

const sameIds = new Map<string, number>();
/** Ids of variants by their options, for those that were created again. */
const idsOf = (product: StoredProduct | undefined, recreated: number) =>
  recreated === 0
    ? sameIds
    : new Map(product?.variants.map(({ id, optionValues }) => [JSON.stringify(optionValues), id]));

const storedOf = async (id: string) =>
  (await store.products()).find((one) => id === `gid://shopify/Product/${one.id}`);

type Round = { kind: Kind; before: StoredProduct | undefined; write: PushedWrite };

/** A push that changed something, of a random product. */
async function pushedRound(kind: Kind, n: number, random: Random): Promise<Round> {
  for (let attempt = 0; ; attempt += 1) {
    const ourId = `id-${n}-${attempt}`;
    const { known, draft } = await productBefore(kind, ourId, random);
    const before = known ? await storedOf(known.id) : undefined;
    store.clock.pass(60_000);
    const wanted = known ? changedDraft(draft, random) : draft;
    const write = await push(client, { ourId, draft: wanted, known, nowMs: store.clock.now() });
    store.clock.pass(60_000);
    if (write) return { kind, before, write };
  }
}

const recreatedBy = (decision: UndoDecision) =>
  decision.kind === 'restore' ? decision.recreatesVariants : 0;

describe(`random products and pushes (FAULT_SEED=${seed})`, () => {
  test.each(kinds)(
    '%s products are in the store as before the push, also if the undo dies in between',
    async (kind) => {
      await store.changeShop({ keepsFiles: true });
      const random = createRandom(seed);
      let restored = 0;
      for (let n = 0; n < 60; n += 1) {
        const { before, write } = await pushedRound(kind, n, random);
        let recreated = 0;
        let dead = random.pick([0, 0, 1, 2]);
        const afterWrite = () => {
          dead -= 1;
          if (dead === 0) throw new Error('died');
        };
        const first = await undo(client, write, { afterWrite }).catch((error: Error) => {
          if (error.message !== 'died') throw error;
          return undefined;
        });
        const decision = await undo(client, write);
        recreated = Math.max(first ? recreatedBy(first) : 1, recreatedBy(decision));
        const final = first ?? decision;
        const context = `round ${n} of ${kind}: ${JSON.stringify(final)}`;
        const after = await storedOf(write.id);
        const ids = idsOf(before, recreated);
        expect(comparable(after, ids), context).toEqual(comparable(before, ids));
        if (final.kind === 'restore') {
          restored += 1;
          expect(final.reason, context).toBeNull();
          expect(final.handsBack).toBe(kind === 'taken over');
        } else
          expect(first?.kind ?? 'gone', context).toBe(
            kind === 'created' ? (first ? 'delete' : 'gone') : 'nothing',
          );
      }
      if (kind !== 'created') expect(restored).toBeGreaterThan(30);
    },
  );
});
