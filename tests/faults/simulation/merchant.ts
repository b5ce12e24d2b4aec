import type pg from 'pg';
import type { TestStore } from '../../store/start-store.ts';
import { createActor } from './actor.ts';
import type { FaultPlan } from './faults.ts';
import type { Scheduler } from './scheduler.ts';

/** What a merchant has done to products of the store, by their SKU. */
export type Merchant = {
  titles: Map<string, string>;
  /** `known`: we had recorded the product when it was deleted, so it must not come back. */
  deleted: Map<string, { known: boolean }>;
};

/** A merchant who changes and deletes products of ours between any two steps. */
export function simulateMerchant(
  scheduler: Scheduler,
  { store, admin, plan }: { store: TestStore; admin: pg.Client; plan: FaultPlan },
): Merchant {
  const merchant: Merchant = { titles: new Map(), deleted: new Map() };
  const actor = createActor('merchant');
  let { edits, deletions } = plan;
  const { random } = scheduler;

  async function change(): Promise<string> {
    store.clock.pass(scheduler.now() - store.clock.now());
    const products = await store.products();
    if (products.length === 0) return 'nothing there';
    const product = random.pick(products);
    const sku = product.variants[0]?.sku ?? '';
    if (random.between(0, edits + deletions) < deletions) {
      deletions -= 1;
      const { rows } = await admin.query(
        `select 1 from listings where store_product_id like '%/' || $1 and sending is null`,
        [product.id],
      );
      merchant.deleted.set(sku, { known: rows.length > 0 });
      merchant.titles.delete(sku);
      await store.edit(String(product.id), { deleted: true });
      scheduler.meet('merchant deletes');
      return `deletes ${sku}`;
    }
    edits -= 1;
    const title = `Merchant’s ${sku} ${edits}`;
    merchant.titles.set(sku, title);
    await store.edit(String(product.id), { title });
    scheduler.meet('merchant edits');
    return `edits ${sku}`;
  }

  const changeEvery = 40;
  scheduler.provide(() => {
    if (edits + deletions === 0 || random.between(0, changeEvery) >= 1) return [];
    return [{ actor, kind: 'merchant', name: '', perform: change }];
  });
  return merchant;
}
