import type pg from 'pg';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';
import type { TestStore } from '../../store/start-store.ts';
import { createActor } from './actor.ts';
import type { FaultPlan } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import { isStoreWrite, type StoreCall } from './store-calls.ts';
import { editOf, ourIdOf, type StoredValues, skuOf, valuesOf } from './stored-values.ts';

/** What a merchant has done to a product. A value that a write of ours could not know of has no promise. */
type Touched = {
  values: Partial<StoredValues>;
  /** What they were before: a write that keeps what it has read brings them back over later ones. */
  earlier: Partial<StoredValues>[];
  /** The step at which each value was set. */
  steps: Partial<Record<keyof StoredValues, number>>;
  /** `known`: our id, if we had recorded the product when it was deleted, so that it must not come back under it. */
  deleted?: { known: string | undefined };
};

export type Merchant = {
  /** By SKU. */
  touched: Map<string, Touched>;
  /** The value that the work of the run replaces on purpose, if it has read it. */
  replaced: keyof StoredValues | null;
  /** To be told of each call before it is made. */
  aim(operation: string, body: string): void;
  /** To be told of each call after its effect; returns what it has done to changes that its actor had read. */
  watch(call: StoreCall): Promise<string[]>;
};

/** Reads that decide what is written to a product. */
const reads = new Set(['productNodes', 'productByCustomId']);

/** They say which value they replace, so that none is lost, read or not. */
const comparing = new Set(['metafieldsSet', 'inventorySetQuantities']);

/** A merchant who changes and deletes products of ours between any two steps. */
export function simulateMerchant(
  scheduler: Scheduler,
  { store, admin, plan }: { store: TestStore; admin: pg.Client; plan: FaultPlan },
): Merchant {
  const touched: Merchant['touched'] = new Map();
  const actor = createActor('merchant');
  let { edits, deletions } = plan;
  const { follow, isPatient } = plan;
  const { random } = scheduler;
  const readAt = new Map<string, number>();
  /** The ids that the product of a SKU has had. */
  const idsOf = new Map<string, Set<number>>();
  /** The product of the last write, done or not: what is tried again finds what was changed in between. */
  let aimed = { id: 0, untilStep: 0 };
  const aim = (text: string) => {
    const id = Number(/gid:\/\/shopify\/Product\/(\d+)/.exec(text)?.[1] ?? 0);
    aimed = { id, untilStep: scheduler.steps() + follow.steps };
  };

  async function change(): Promise<string> {
    store.clock.pass(scheduler.now() - store.clock.now());
    const products = await store.products();
    if (products.length === 0) return 'nothing there';
    const last = products.find(({ id }) => id === aimed.id);
    const product = last && random.between(0, 1) < follow.share ? last : random.pick(products);
    const sku = skuOf(product);
    idsOf.set(sku, (idsOf.get(sku) ?? new Set()).add(product.id));
    const atStep = scheduler.steps();
    if (random.between(0, edits + deletions) < deletions) {
      deletions -= 1;
      const { rows } = await admin.query(
        `select 1 from listings where store_product_id like '%/' || $1 and sending is null`,
        [product.id],
      );
      touched.set(sku, {
        ...{ values: {}, earlier: [], steps: {} },
        deleted: { known: rows.length > 0 ? ourIdOf(product) : undefined },
      });
      await store.edit(String(product.id), { deleted: true });
      scheduler.meet('merchant deletes');
      return `deletes ${sku}`;
    }
    edits -= 1;
    if (isPatient) aimed.untilStep = 0;
    const edit: Partial<StoredValues> = random.pick([
      ...[{ title: `Merchant’s ${sku} ${edits}` }, { price: `77.0${edits}` }],
      ...[{ material: `Gold ${edits}` }, { seoTitle: `Found ${edits}` }, { rating: `4.${edits}` }],
      ...[{ quantity: 30 + edits }, { status: 'ACTIVE' as const }],
    ]);
    const before = touched.get(sku);
    touched.set(sku, {
      ...before,
      values: { ...before?.values, ...edit },
      earlier: [...(before?.earlier ?? []), { ...before?.values }],
      steps: { ...before?.steps, ...Object.fromEntries(Object.keys(edit).map((name) => [name, atStep])) },
    });
    await store.edit(String(product.id), editOf(edit));
    scheduler.meet('merchant edits');
    return `edits ${sku} ${Object.keys(edit)}`;
  }

  const changeEvery = 40;
  scheduler.provide(() => {
    const isFollowing = scheduler.steps() < aimed.untilStep;
    const every = isFollowing ? follow.every : changeEvery;
    if (edits + deletions === 0 || (isPatient && !isFollowing) || random.between(0, every) >= 1) return [];
    return [{ actor, kind: 'merchant', name: '', perform: change }];
  });

  const merchant: Merchant = {
    touched,
    replaced: null,
    aim(operation, body) {
      if (isStoreWrite(operation)) aim(body);
    },
    async watch({ actor: by, operation, atStep, reply }) {
      if (reads.has(operation)) {
        for (const [, id] of reply.matchAll(/gid:\/\/shopify\/Product\/(\d+)/g))
          readAt.set(`${by} ${id}`, atStep);
      }
      if (!isStoreWrite(operation)) return [];
      aim(reply);
      const products = await store.products();
      const wrong = doubles(products);
      for (const [sku, one] of touched) {
        const now = products.find((product) => skuOf(product) === sku);
        if (one.deleted) continue;
        const is = now && valuesOf(now);
        const names = Object.keys(one.values) as (keyof StoredValues)[];
        const lost = names.filter((name) => is?.[name] !== one.values[name]);
        if (is && lost.length === 0) continue;
        const read = Math.max(...[...(idsOf.get(sku) ?? [])].map((id) => readAt.get(`${by} ${id}`) ?? 0), 0);
        const isWrong = (name: keyof StoredValues) =>
          read > (one.steps[name] ?? 0) ? name !== merchant.replaced : comparing.has(operation);
        const undone = lost.filter(isWrong);
        if (undone.length > 0)
          wrong.push(`${operation} of ${by} undid what the merchant had done to ${sku}: ${undone}`);
        const { earlier, steps } = one;
        const isKept = (name: keyof StoredValues) =>
          !lost.includes(name) || earlier.some((before) => name in before && before[name] === is?.[name]);
        const values = Object.fromEntries(names.filter(isKept).map((name) => [name, is?.[name]]));
        const deleted = { values: {}, earlier: [], steps: {}, deleted: { known: undefined } };
        touched.set(sku, now ? { values, earlier, steps } : deleted);
      }
      return wrong;
    },
  };
  return merchant;
}

/** Products that the store has more than once. Asked after each write, because a later one may hide it. */
export function doubles(inStore: readonly StoredProduct[]): string[] {
  const skus = inStore.flatMap(({ variants }) => variants.map(({ sku }) => sku));
  return [...new Set(skus.filter((sku, at) => skus.indexOf(sku) !== at))].map(
    (sku) => `${sku} was made twice`,
  );
}
