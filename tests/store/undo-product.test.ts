import type { UndoDecision } from '@draftshelf/publishing/undo/undo-decision';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { readCollections } from '@draftshelf/shopify/collections';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { deleteMetafields, readLiveProducts, setProduct } from '@draftshelf/shopify/products';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { createRandom, type Random, seedOfRun } from '../faults/fault-random.ts';
import { comparableProduct } from './comparable-product.ts';
import { changedDraft, randomDraft } from './random-drafts.ts';
import { startStore, type TestStore, testClient } from './start-store.ts';
import { touches } from './touches.ts';
import { type Known, locationId, type PushedWrite, push, undo } from './undo-loop.ts';

const seed = seedOfRun();
/** More in the long form of the tests. */
const rounds = process.env.TEST_LONG ? 200 : 8;

let store: TestStore;
let client: ShopifyClient;
beforeEach(async () => {
  store = await startStore({ plan: 'enterprise' });
  client = testClient(store);
  await ensureIdDefinition(client);
  await store.changeShop({ keepsFiles: true });
  await store.changeCollection({ title: 'Staff picks' });
});
afterEach(() => store.stop());

const kinds = ['created', 'updated', 'taken over'] as const;
type Kind = (typeof kinds)[number];

const note = { namespace: 'custom', key: 'note', type: 'single_line_text_field', value: 'Handle with care' };
const ourMetafields = ['external_id', 'payload'].map((key) => ({ namespace: 'scd', key }));

/** A product before a push: none, one of ours that people have worked on, or one of the merchant. */
async function productBefore(kind: Kind, ourId: string, random: Random) {
  const draft = randomDraft(random);
  if (kind === 'created') return { known: null, draft };
  const input = toCreateInput(draft, { externalId: ourId, locationId, collectionIds: [] });
  const { id } = await setProduct(client, input);
  store.clock.pass(60_000);
  if (kind === 'taken over') {
    await deleteMetafields(client, id, ourMetafields);
    await store.edit(id, { tags: ['own', 'Lamp'], alt: 'Front', seo: { title: 'Own' } });
    return { known: { id, sent: null, baseline: null }, draft };
  }
  await store.edit(id, random.pick([{ quantity: 3 }, { metafield: note }, { seo: { title: 'Own' } }]));
  const baseline = (await readLiveProducts(client, [id], { locationId })).get(id) ?? null;
  return { known: { id, sent: draft, baseline } satisfies Known, draft };
}

const storedOf = async (id: string): Promise<StoredProduct | undefined> =>
  (await store.products()).find((one) => id === `gid://shopify/Product/${one.id}`);

/** A push of a random product that changed something, and the product before it. */
async function pushed(kind: Kind, n: number, random: Random) {
  for (let attempt = 0; ; attempt += 1) {
    const ourId = `id-${n}-${attempt}`;
    const { known, draft } = await productBefore(kind, ourId, random);
    const before = known ? await storedOf(known.id) : undefined;
    store.clock.pass(60_000);
    const wanted = known ? changedDraft(draft, random) : draft;
    const write = await push(client, { ourId, draft: wanted, known, nowMs: store.clock.now() });
    store.clock.pass(60_000);
    if (write) return { before, write };
  }
}

const recreates = (decision: UndoDecision | undefined) =>
  decision?.kind === 'restore' && decision.recreatesVariants > 0;

/** Undoes a write until the n-th call that writes, as if the process died after it. Undefined: it died. */
async function undoUntil(write: PushedWrite, writes: number): Promise<UndoDecision | undefined> {
  let left = writes;
  const afterWrite = () => {
    left -= 1;
    if (left === 0) throw new Error('died');
  };
  return undo(client, write, { afterWrite }).catch((error: Error) => {
    if (error.message !== 'died') throw error;
    return undefined;
  });
}

describe(`random products (FAULT_SEED=${seed})`, () => {
  test.each(kinds)('%s: the store is as before the push, also if the undo dies in between', async (kind) => {
    const random = createRandom(seed);
    for (let n = 0; n < rounds; n += 1) {
      const { before, write } = await pushed(kind, n, random);
      const first = await undoUntil(write, random.pick([1, 2, 99]));
      const second = await undo(client, write);
      const context = `round ${n}: ${JSON.stringify([first, second])}`;
      const isNew = !first || recreates(first) || recreates(second);
      const after = comparableProduct(await storedOf(write.id), isNew);
      expect(after, context).toEqual(comparableProduct(before, isNew));
      if (kind === 'created') {
        expect(first?.kind ?? 'delete', context).toBe('delete');
        expect(second, context).toEqual({ kind: 'gone' });
        continue;
      }
      const handsBack = kind === 'taken over';
      if (first) expect(first, context).toMatchObject({ kind: 'restore', reason: null, handsBack });
      const metafields = { set: [], remove: [] };
      const done = { kind: 'restore', variables: null, quantities: [], metafields, reason: null };
      expect(await undo(client, write), context).toMatchObject(handsBack ? done : { kind: 'nothing' });
    }
  });
});

describe(`what a colleague changed stays (FAULT_SEED=${seed})`, () => {
  test.each(Object.entries(touches))('%s', async (_name, touch) => {
    const random = createRandom(seed);
    const all = await readCollections(client);
    const collection = all.find(({ title }) => title === 'Staff picks')?.id ?? '';
    for (const [n, kind] of Array.from({ length: rounds / 4 }, () => kinds)
      .flat()
      .entries()) {
      const { before, write } = await pushed(kind, n, random);
      const after = await storedOf(write.id);
      if (!after) throw new Error('The push has left no product');
      await store.edit(write.id, touch.edit(after, collection));
      const touched = await storedOf(write.id);
      const decision = await undo(client, write);
      const context = `round ${n}, ${kind}: ${JSON.stringify(decision)}`;
      if (!before) {
        expect(decision, context).toMatchObject({ kind: 'keep', kept: [{ part: touch.part }] });
        expect(await storedOf(write.id), context).toEqual(touched);
        continue;
      }
      const reason =
        decision.kind === 'restore' ? decision.reason : decision.kind === 'keep' ? decision : null;
      // A variant that the push has added stays with the options that it needs: those of before do not come back.
      const isOfOurs = before.variants.every(({ id }) => id !== after.variants[0]?.id);
      if (isOfOurs && ['variants', 'quantities'].includes(touch.part)) {
        expect(reason?.parts, context).toContain('variants');
        const [theirs] = touched?.variants ?? [];
        const now = (await storedOf(write.id))?.variants.find(({ id }) => id === theirs?.id);
        expect(now, context).toEqual(theirs);
        continue;
      }
      expect(reason?.parts ?? [], context).toEqual(touch.isBoth?.(before, after) ? [touch.part] : []);
      const isNew = recreates(decision);
      expect(comparableProduct(await storedOf(write.id), isNew), context).toEqual(
        comparableProduct(touch.on(before, collection, after), isNew),
      );
    }
  });
});
