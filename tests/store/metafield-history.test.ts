import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { deleteMetafields, setProduct } from '@draftshelf/shopify/products';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMetafield, StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { createRandom, type Random, seedOfRun } from '../faults/fault-random.ts';
import { comparableProduct } from './comparable-product.ts';
import { randomDraft } from './random-drafts.ts';
import { startStore, type TestStore, testClient } from './start-store.ts';
import { type Known, locationId, type PushedWrite, push, undo } from './undo-loop.ts';

const seed = seedOfRun();
/** More in the long form of the tests. */
const rounds = process.env.TEST_LONG ? 100 : 6;

let store: TestStore;
let client: ShopifyClient;
beforeEach(async () => {
  store = await startStore({ plan: 'enterprise' });
  client = testClient(store);
  await ensureIdDefinition(client);
});
afterEach(() => store.stop());

const type = 'single_line_text_field';
const keys = ['care', 'fabric', 'fit', 'season', 'label', 'origin_story'];
const nameOf = ({ namespace, key }: Pick<StoredMetafield, 'namespace' | 'key'>) => `${namespace}.${key}`;
type Values = Map<string, string>;

const isBookkeeping = ({ namespace, key }: StoredMetafield) =>
  namespace === 'scd' && ['external_id', 'payload'].includes(key);
const valuesOf = ({ metafields }: StoredProduct): Values =>
  new Map(
    metafields
      .filter((one) => !isBookkeeping(one))
      .map((one): [string, string] => [nameOf(one), one.value])
      .toSorted(),
  );
const sorted = (values: Values) => [...values].toSorted();

/** What people and apps have beside ours; a list with that of an app, or of 60 others, cannot be replaced. */
const beside = {
  nothing: [],
  'others of the merchant': [{ namespace: 'merchant', key: 'note', type, value: 'Theirs' }],
  'others of an app': [{ namespace: 'app--9--reviews', key: 'stars', type, value: '5' }],
  'sixty others': Array.from({ length: 60 }, (_, at) => ({
    ...{ namespace: 'merchant', key: `note_${at}`, type },
    value: `Note ${at}`,
  })),
};

/** A list's draft: each key with a value, or without. */
function listed(draft: DraftProduct, random: Random, n: number): DraftProduct {
  const own = keys.flatMap((key) =>
    random.between(0, 1) < 0.6
      ? [{ namespace: 'custom', key, type, value: random.pick([`${key} ${n}`, `${key} of all lists`]) }]
      : [],
  );
  const source = draft.metafields.filter(({ namespace }) => namespace === 'scd');
  const title = random.pick([draft.title, `${draft.title} ${n}`]);
  return { ...draft, title, metafields: [...source, ...own] };
}

const wantedOf = ({ metafields }: DraftProduct): Values =>
  new Map(metafields.map((one): [string, string] => [nameOf(one), one.value]));

/** The rule, by itself: only what the store has as we sent it last is changed. */
function expectedAfter(live: Values, sent: Values, wanted: Values): { store: Values; sent: Values } {
  const [next, record] = [new Map(live), new Map(sent)];
  for (const name of new Set([...sent.keys(), ...wanted.keys()])) {
    const [is, was, will] = [live.get(name), sent.get(name), wanted.get(name)];
    const isOwn = name.startsWith('scd.');
    if (is !== was && is !== will && !isOwn) continue;
    if (will === undefined) next.delete(name);
    else next.set(name, will);
    if (will === undefined) record.delete(name);
    else record.set(name, will);
  }
  return { store: next, sent: record };
}

describe.each(Object.entries(beside))('three lists and an undo, beside %s', (name, others) => {
  test.each(Array.from({ length: rounds }, (_, n) => n))(
    `leave all that is not ours (${seed}, %i)`,
    async (n) => {
      const random = createRandom(seed + 1_000 * Object.keys(beside).indexOf(name) + n);
      const first = { ...randomDraft(random), metafields: [] };
      const input = toCreateInput(first, { externalId: 'of-another', locationId, collectionIds: [] });
      const { id } = await setProduct(client, input);
      await deleteMetafields(client, id, [
        ...['external_id', 'payload'].map((key) => ({ namespace: 'scd', key })),
      ]);
      for (const metafield of others) await store.edit(id, { metafield });
      const stored = async (): Promise<StoredProduct> => {
        const found = (await store.products()).find((one) => id === `gid://shopify/Product/${one.id}`);
        if (!found) throw new Error('The product is gone');
        return found as StoredProduct;
      };
      const edit = async () => {
        const key = random.pick([...keys, 'note', 'new_note']);
        const namespace = key.includes('note') ? 'merchant' : 'custom';
        await store.edit(id, {
          metafield: { namespace, key, type, value: `Edit ${random.between(0, 1e6)}` },
        });
        store.clock.pass(60_000);
      };
      let known: Known = { id, sent: null, baseline: null };
      let sent: Values = new Map();
      let write: PushedWrite | undefined;
      let before: StoredProduct | undefined;
      let left: StoredProduct | undefined;
      // Whether the merchant has changed the product since the last write.
      let edited = false;
      for (const list of [1, 2, 3]) {
        store.clock.pass(60_000);
        if (random.between(0, 1) < 0.7) {
          await edit();
          edited = true;
        }
        const draft = listed(first, random, list);
        const live = await stored();
        const isTakeOver = known.sent === null;
        const pushed = await push(client, { ourId: `id-${n}`, draft, known, nowMs: store.clock.now() });
        // A take-over fills, and counts as ours what it finds.
        const wanted = wantedOf(draft);
        const after = expectedAfter(valuesOf(live), sent, wanted);
        expect(sorted(valuesOf(await stored()))).toEqual(sorted(after.store));
        sent = after.sent;
        if (!pushed) continue;
        before = live;
        write = pushed;
        left = await stored();
        edited = false;
        expect(sorted(wantedOf(pushed.sentAfter as DraftProduct))).toEqual(sorted(sent));
        expect(isTakeOver || pushed.kind === 'update').toBe(true);
        known = { id, sent: pushed.sentAfter, baseline: pushed.after };
      }
      if (!write || !before || !left) return;
      if (random.between(0, 1) < 0.5) {
        await edit();
        edited = true;
      }
      const now = valuesOf(await stored());
      await undo(client, write);
      const [was, ours] = [valuesOf(before), valuesOf(left)];
      for (const name of new Set([...was.keys(), ...ours.keys()])) {
        if (was.get(name) === ours.get(name) || now.get(name) !== ours.get(name)) continue;
        const value = was.get(name);
        if (value === undefined) now.delete(name);
        else now.set(name, value);
      }
      const last = await stored();
      expect(sorted(valuesOf(last))).toEqual(sorted(now));
      if (!edited) {
        const whole = (one: StoredProduct) =>
          comparableProduct(
            { ...one, metafields: one.metafields.filter((other) => !isBookkeeping(other)) },
            false,
          );
        expect(whole(last)).toEqual(whole(before));
      }
    },
  );
});
