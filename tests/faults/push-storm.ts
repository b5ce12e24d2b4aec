import { findImport } from '@draftshelf/core/imports/imports';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { csvOf, storedImport, until } from '../support/fixture.ts';
import type { Stack } from '../support/stack.ts';
import { leftOver } from './differences.ts';
import type { Random } from './fault-random.ts';
import { otherFaultsMsMax, reachPushed, reachRest } from './fault-stack.ts';
import { kill } from './inject.ts';

export type StormSizes = { products: number; kills: number; latencyMs: number };

/** A merchant's edit of a product that was pushed before, which a push must not undo. */
const edited = 5;

/**
 * Pushes products to a store that loses a tenth of its answers after their effect, fails 5 % of the calls, throttles in
 * storms and lets tokens expire, while the push worker is killed with -9 and the queue is emptied. Returns everything
 * that is wrong: products missing or twice, a ledger that differs from the store, a lost edit of a merchant.
 */
export async function runPushStorm(
  stack: Stack,
  { products, kills, latencyMs }: StormSizes,
  random: Random,
): Promise<string[]> {
  const label = `S${Math.floor(random.between(0, 1e9))}`;
  const id = await stored(stack, label, products);
  const times = 1_000_000;
  for (const fault of [
    { kind: 'delay', delayMs: latencyMs, times },
    { kind: 'drop-after', operation: 'productSet', every: 10, times },
    { kind: 'status', status: 503, every: 20, times },
    { kind: 'unauthorized', every: 211, times },
  ])
    await stack.store.fault(fault);
  const moved = await stack.database.db
    .transaction()
    .execute((trx) => pushImport(trx, id, 25, { supplier: null }));
  if (!moved.ok) throw new Error(moved.reason);
  const editing = editAsMerchant(stack, label);
  for (let nth = 1; nth <= kills; nth += 1) {
    const reached = (products * (nth - random.between(0, 1))) / (kills + 1);
    await reachPushed(stack, id, reached);
    await kill(stack, 'push-worker');
    if (nth % 3 === 1) await stack.emptyQueue();
    if (nth % 4 === 2) await stack.store.fault({ kind: 'throttled', every: 2, forMs: 1000 });
  }
  const merchant = await editing;
  await reachRest(stack, id, 4 * otherFaultsMsMax);
  await stack.store.clearFaults();
  return [...(await stormDifferences(stack, id, { label, products, merchant })), ...(await leftOver(stack))];
}

async function stored(stack: Stack, label: string, products: number): Promise<string> {
  const lines = Array.from({ length: products }, (_, at) => [
    `Vase ${label} ${at + 1}`,
    `${at + 1}.50`,
    `${label}-${at + 1}`,
  ]);
  const { id } = await storedImport(stack, { csv: csvOf([['Title', 'Price', 'SKU'], ...lines]) });
  await reachRest(stack, id);
  return id;
}

/** Changes the first products that arrive, as soon as they are there; returns their titles. */
async function editAsMerchant(stack: Stack, label: string): Promise<Map<number, string>> {
  const titles = new Map<number, string>();
  await until(
    'products to edit',
    async () => {
      const arrived = (await stack.store.products()).filter(({ title }) =>
        title.startsWith(`Vase ${label} `),
      );
      for (const { id } of arrived.slice(0, edited)) {
        const title = `Merchant ${label} ${id}`;
        await stack.store.edit(id, { title });
        titles.set(id, title);
      }
      return titles.size >= edited;
    },
    otherFaultsMsMax,
  );
  return titles;
}

async function stormDifferences(
  stack: Stack,
  id: string,
  { label, products, merchant }: { label: string; products: number; merchant: ReadonlyMap<number, string> },
): Promise<string[]> {
  const wrong: string[] = [];
  const record = await findImport(stack.database.db, id);
  const { created = 0, updated = 0, unchanged = 0, skipped = 0, failed = 0 } = record ?? {};
  const sum = created + updated + unchanged + skipped + failed;
  if (record?.status !== 'completed') wrong.push(`it is ${record?.status}: ${record?.error_message}`);
  if (sum !== products) wrong.push(`${products} products, ${sum} outcomes`);
  const inStore = (await stack.store.products()).filter(({ variants }) =>
    variants[0]?.sku?.startsWith(`${label}-`),
  );
  const skus = new Set(inStore.map(({ variants }) => variants[0]?.sku));
  if (inStore.length !== products || skus.size !== products) {
    wrong.push(`the store has ${inStore.length} products with ${skus.size} SKUs, not ${products}`);
  }
  for (const [product, title] of merchant) {
    const now = inStore.find((one) => one.id === product)?.title;
    if (now !== title) wrong.push(`the merchant’s ${title} is ${now}`);
  }
  const { rows } = await stack.database.pool.query<{ store_product_id: string }>(
    `select distinct store_product_id from ledger where import_id = $1 and store_product_id is not null`,
    [id],
  );
  const ledger = new Set(rows.map((row) => Number(row.store_product_id.split('/').at(-1))));
  const missing = inStore.filter((one) => !ledger.has(one.id));
  // A product that a merchant changed while its answer was lost is skipped, with the id that the store has.
  if (missing.length > skipped) wrong.push(`${missing.length} products of the store are not in the ledger`);
  return wrong;
}
